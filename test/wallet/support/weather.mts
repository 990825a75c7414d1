/** What happens to a wild chain, at random, while writes are paid. */
import { setTimeout } from 'node:timers/promises';
import type { WriteState } from '../../../service/src/store/tables.mts';
import { randomNumbers } from '../../support/random-numbers.mts';
import { MAX_UNDONE, type WildChain } from './wild-chain.mts';

/** Time between two blocks, in milliseconds. */
export const BLOCK_MS = 300;
/** Longer than a write waits until it is given up. */
const REFUSAL_MS = 9_000;
const DENIAL_MS = 3_000;
const DOWN_MS = 2_500;

/** A transaction that is in no block. */
export interface OpenTransaction {
	hash: string;
	wallet_id: number;
	state: WriteState;
}

export interface WeatherOptions {
	seed: number;
	/** Private keys by wallet. */
	keys: readonly string[];
	/** Share of the rounds that have a further block of reverts, at most 0.2. */
	reverts?: number;
	isOver(): boolean;
	/** Kills the service, and starts it again. */
	kill(): Promise<void>;
	openTransactions(): Promise<OpenTransaction[]>;
}

/** Makes blocks and events until told to stop. */
export async function makeWeather(
	chain: WildChain,
	{ seed, keys, reverts = 0, isOver, kill, openTransactions }: WeatherOptions,
): Promise<void> {
	const random = randomNumbers(seed);
	const below = (count: number) => Math.floor(random() * count);
	const anyOpen = async (...states: WriteState[]) => {
		const open = (await openTransactions()).filter(({ state }) => states.includes(state));
		return open[below(open.length)];
	};
	const signElsewhere = async (...states: WriteState[]): Promise<void> => {
		const open = await anyOpen(...states);
		const key = open && keys[open.wallet_id];
		if (key !== undefined) await chain.signElsewhere(key);
	};
	const [calm, down] = [{ until: 0 }, { until: 0 }];
	while (!isOver()) {
		await setTimeout(BLOCK_MS);
		const now = performance.now();
		if (now > calm.until) chain.setSending('answered');
		if (now > down.until) chain.setLeaderDown(false);
		const dice = random();
		if (dice < 0.25) await chain.reorganise(1 + below(MAX_UNDONE));
		else if (dice < 0.33) {
			const open = await anyOpen('signed', 'accepted');
			if (open) await chain.evict(open.hash);
		} else if (dice < 0.37) await chain.storm(1 + below(40));
		else if (dice < 0.41) await chain.revertBlock();
		else if (dice < 0.49) await signElsewhere('signed', 'accepted');
		else if (dice < 0.53 && now > calm.until) {
			chain.setSending('refused');
			calm.until = now + REFUSAL_MS;
		} else if (dice < 0.55 && now > calm.until) {
			chain.setSending('denied');
			calm.until = now + DENIAL_MS;
		} else if (dice < 0.57 && now > down.until) {
			chain.setLeaderDown(true);
			down.until = now + DOWN_MS;
		} else if (dice < 0.75) {
			// A nonce whose transaction no endpoint took is the easiest to lose to another program.
			await signElsewhere('signed');
		} else if (dice > 0.98) await kill();
		else if (dice > 0.98 - reverts) await chain.revertBlock();
		await chain.mine();
	}
	chain.setSending('answered');
	chain.setLeaderDown(false);
}
