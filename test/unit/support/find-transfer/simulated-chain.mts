/** A chain with a known future, and a service that lists its transfers with every known fault. */
import fc from 'fast-check';

export const START = Date.UTC(2026, 10, 21, 12);
export const TOKENS = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const;
export const WALLETS = [`0x${'c3'.repeat(20)}`, `0x${'d4'.repeat(20)}`] as const;
const BLOCK_MS = 2000;

const seconds = (max: number) => fc.integer({ min: 0, max: max * 1000 });

/** A write and its fate. Few tokens, wallets and amounts, so that equal payments are common. */
export const write = fc.record({
	fate: fc.oneof(
		{ weight: 3, arbitrary: fc.constant('mined') },
		{ weight: 4, arbitrary: fc.constantFrom('reverted', 'dropped', 'replaced', 'reorganised') },
	),
	token: fc.constantFrom(...TOKENS),
	to: fc.constantFrom(...WALLETS),
	units: fc.constantFrom(1n, 12_500_000n),
	/** Milliseconds before the first check. */
	submittedBefore: seconds(400),
	minedAfter: seconds(60),
	/** From its block until the service lists it. */
	lag: fc.oneof(fc.constant(0), seconds(20)),
	/** From its block until the block is undone. */
	undoneAfter: seconds(30),
});
export type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

export interface Listed {
	readonly hash: string;
	readonly token: string;
	readonly to: string;
	readonly units: bigint;
	/** Of its block, in milliseconds. */
	readonly time: number;
}

export interface Given {
	readonly at: number;
	/** Newest first. */
	readonly listed: readonly Listed[];
	/** The list without a limit. */
	readonly whole: readonly Listed[];
}

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;
const REPLACED = 1_000_000;

/** The hash returned for a write. */
export const submittedHash = (number: number): string => hashOf(number + 1);

const blockAt = (time: number): number => Math.ceil(time / BLOCK_MS) * BLOCK_MS;

export class SimulatedChain {
	readonly given: Given[] = [];

	readonly #writes: readonly Write[];

	readonly #settings: { readonly window: number; readonly latencyMs: number };

	constructor(writes: readonly Write[], settings: { window: number; latencyMs: number }) {
		this.#writes = writes;
		this.#settings = settings;
	}

	#listedAt(now: number): Listed[] {
		return this.#writes
			.flatMap(({ fate, token, to, units, ...write }, number) => {
				const time = blockAt(START - write.submittedBefore + write.minedAfter);
				const isGone = fate === 'reorganised' && now >= time + write.undoneAfter;
				const never = fate === 'reverted' || fate === 'dropped' || isGone;
				if (never || now < time + write.lag) return [];
				const hash = fate === 'replaced' ? hashOf(REPLACED + number) : submittedHash(number);
				return [{ hash, token, to, units, time }];
			})
			.sort((one, other) => other.time - one.time);
	}

	/** The history of the sending wallet, as JSON of the interface. */
	async history(): Promise<unknown> {
		await new Promise((resolve) => setTimeout(resolve, this.#settings.latencyMs));
		const at = Date.now();
		const whole = this.#listedAt(at);
		const listed = whole.slice(0, this.#settings.window);
		this.given.push({ at, listed, whole });
		return listed.map(({ hash, token, to, units, time }) => ({
			type: 'TRANSFER',
			to: { username: 'Rahul', platform: 'GOOGLE', address: to },
			amount: {
				valueBn: { type: 'BigNumber', hex: `0x${units.toString(16)}` },
				...{ formatted: 0, decimals: 6, symbol: 'SUSD' },
				tokenAddress: token.toUpperCase().replace('X', 'x'),
			},
			timestamp: new Date(time).toISOString(),
			...{ hash, explorerUrl: '' },
		}));
	}
}
