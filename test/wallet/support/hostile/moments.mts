/** The moments at which an endpoint lies: what happens on the chain and in the service meanwhile. */
import type { ServiceOptions } from '../../../../service/src/create-service.mts';
import type { MomentName } from './moment-names.mts';
import type { Scene } from './scene.mts';
import { BERT, DEPTH } from './template.mts';

export interface Moment {
	/** Whether the service has never run. */
	isNew?: boolean;
	replaced?: Partial<ServiceOptions>;
	/** The order 1 is in the pool at the beginning. The endpoint still lies at the end. */
	play(scene: Scene): Promise<void>;
}

/** A round of the loops takes a second. */
const SOME_ROUNDS = 2_600;
const MORE_ROUNDS = 3_800;

const refusal = { error: { code: -32000, message: 'txpool is full' } };

/** The order 1 and a deposit are in a block, as the service knows. */
async function includeHonestly(scene: Scene): Promise<void> {
	await scene.start();
	scene.deposit(7_000_000n);
	scene.chain.mine();
	await scene.untilMined(1);
}

export const MOMENTS: Record<MomentName, Moment> = {
	'first start': {
		isNew: true,
		async play(scene) {
			scene.lie();
			if (await scene.start()) await scene.order(2);
			await scene.watch(SOME_ROUNDS);
		},
	},
	start: {
		async play(scene) {
			scene.deposit(7_000_000n);
			scene.chain.mine(DEPTH + 3);
			scene.lie();
			await scene.start();
			await scene.watch(SOME_ROUNDS);
		},
	},
	write: {
		async play(scene) {
			await scene.start();
			scene.lie();
			await scene.order(2);
			await scene.watch(1_600);
		},
	},
	pool: {
		async play(scene) {
			scene.chain.isHeld = () => true;
			await scene.start();
			scene.lie();
			await scene.watch(SOME_ROUNDS);
			for (const hash of scene.chain.pool.keys()) scene.chain.evict(hash);
			await scene.watch(1_200);
		},
	},
	block: {
		async play(scene) {
			await scene.start();
			scene.lie();
			scene.deposit(7_000_000n);
			scene.chain.mine();
			await scene.watch(SOME_ROUNDS);
		},
	},
	undone: {
		async play(scene) {
			await includeHonestly(scene);
			scene.lie();
			scene.chain.isHeld = () => true;
			scene.chain.reorganise(1);
			await scene.watch(SOME_ROUNDS);
		},
	},
	final: {
		async play(scene) {
			await includeHonestly(scene);
			scene.lie();
			scene.chain.mine(DEPTH + 2);
			await scene.watch(MORE_ROUNDS);
		},
	},
	foreign: {
		async play(scene) {
			await scene.start();
			scene.lie();
			scene.chain.signElsewhere(scene.wallet.key, { to: BERT });
			scene.chain.mine(DEPTH + 3);
			await scene.watch(MORE_ROUNDS);
		},
	},
	history: {
		async play(scene) {
			scene.chain.isHeld = ({ hash }) => hash === scene.template.open;
			await scene.start();
			scene.lie();
			scene.deposit(7_000_000n);
			scene.chain.mine(DEPTH + 2);
			await scene.watch(1_500);
			scene.deposit(8_000_000n);
			scene.chain.mine();
			await scene.watch(1_500);
		},
	},
	/** Blocks ask for more than the order 1 offers. */
	dear: {
		async play(scene) {
			scene.chain.baseFee *= 4n;
			scene.chain.mine();
			await scene.start();
			scene.lie();
			await scene.watch(SOME_ROUNDS);
		},
	},
	/** No endpoint takes the order 2, until it is given up. */
	'given up': {
		replaced: { ttlMs: 1_500, writes: { answerMs: 1_000 } },
		async play(scene) {
			await scene.start();
			for (const endpoint of [scene.honest, scene.liar]) {
				endpoint.lie('eth_sendRawTransaction', () => refusal);
			}
			await scene.order(2);
			scene.lie();
			await scene.watch(MORE_ROUNDS);
		},
	},
};
