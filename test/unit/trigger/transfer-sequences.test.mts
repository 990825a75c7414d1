/** Random histories, failures, stale answers and restarts, compared with a model that knows every transfer. */
import fc from 'fast-check';

import type { Observation } from '../../../nodes/WalletService/trigger/observation.ts';
import { SMALLEST_WINDOW } from '../../../nodes/WalletService/resources/history/pages.ts';
import { advanceTransfers } from '../../../nodes/WalletService/trigger/advance-transfers.ts';
import { savedState } from '../support/trigger/saved-state.mts';
import type { MadeTransfer } from '../support/trigger/wallet-on-chain.mts';
import { WalletOnChain } from '../support/trigger/wallet-on-chain.mts';
import { forAll } from '../support/for-all.mts';

const USERS = ['A-1', 'B-2'] as const;

const block = fc.record({
	user: fc.constantFrom(...USERS),
	// Few numbers, so that identical transfers of one transaction are common.
	transactions: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 9 }),
});
const answer = fc.oneof(
	{ weight: 5, arbitrary: fc.constant('good' as const) },
	{ weight: 3, arbitrary: fc.constantFrom('failed' as const, 'stale' as const, 'empty' as const) },
);
const poll = fc.record({ answers: fc.tuple(answer, answer) });
const step = fc.oneof(
	{ weight: 4, arbitrary: block },
	{ weight: 5, arbitrary: poll },
	{ weight: 1, arbitrary: fc.constant('restart' as const) },
);

const sequence = fc.record({
	isDurable: fc.boolean(),
	windowSize: fc.integer({ min: 1, max: 16 }),
	emitExisting: fc.boolean(),
	/** Minimum amount of a transfer that counts. */
	minimum: fc.constantFrom(0n, 0n, 2n),
	steps: fc.array(step, { maxLength: 40 }),
});

type Sequence = typeof sequence extends fc.Arbitrary<infer T> ? T : never;

/** What the trigger should know about one wallet. */
const newModel = () => ({
	chain: new WalletOnChain(),
	/** Numbers of the transfers listed so far. */
	seen: new Set<number>(),
	/** Number of transfers at the first answer; stale answers are never older than that. */
	lengthAtStart: undefined as number | undefined,
	/** Keys of the items so far. */
	delivered: [] as string[],
});
type Model = ReturnType<typeof newModel>;

function observationOf(
	transfers: readonly MadeTransfer[],
	{ emitExisting, minimum }: Sequence,
): Observation {
	return {
		advance(before) {
			const matches = ({ value }: MadeTransfer): boolean => value >= minimum;
			const step = advanceTransfers(before.transfers, transfers, { matches, emitExisting });
			const { gapPossible } = step;
			return {
				state: { transfers: step.state },
				items: step.fresh.map(({ time, key }) => ({ time, json: { key, gapPossible } })),
				mustBeSaved: before.transfers === undefined,
			};
		},
		sample: () => undefined,
	};
}

function answerOf(model: Model, kind: 'good' | 'stale' | 'empty', size: number): MadeTransfer[] {
	if (kind === 'good' || model.lengthAtStart === undefined) return model.chain.window(size);
	if (kind === 'empty') return [];
	const stale = model.chain.lengths.at(-3) ?? 0;
	return model.chain.window(size, Math.max(model.lengthAtStart, stale));
}

/** Updates the model, and returns the expected items of an answer. */
function expectFrom(model: Model, shown: readonly MadeTransfer[], run: Sequence) {
	const isStart = model.lengthAtStart === undefined;
	model.lengthAtStart ??= model.chain.transfers.length;
	const fresh = shown.filter(({ number }) => !model.seen.has(number));
	const isJoined = fresh.length < shown.length;
	const mayMiss = model.seen.size > 0 || shown.length >= SMALLEST_WINDOW;
	for (const { number } of shown) model.seen.add(number);
	const matching = fresh.filter(({ value }) => value >= run.minimum);
	const keys = isStart && !run.emitExisting ? [] : matching.map(({ key }) => key);
	return { keys, gapPossible: !isStart && !isJoined && mayMiss };
}

function check(run: Sequence): void {
	const models = new Map<string, Model>(USERS.map((user) => [user, newModel()]));
	const state = savedState(run.isDurable);
	for (const step of run.steps) {
		if (step === 'restart') state.restart();
		else if ('user' in step) models.get(step.user)?.chain.addBlock(step.transactions);
		if (step === 'restart' || 'user' in step) continue;
		const observations = new Map<string, Observation>();
		const expected: ReturnType<typeof expectFrom>[] = [];
		for (const [index, user] of USERS.entries()) {
			const kind = step.answers[index];
			const model = models.get(user);
			if (model === undefined || kind === undefined || kind === 'failed') continue;
			const shown = answerOf(model, kind, run.windowSize);
			observations.set(user, observationOf(shown, run));
			const due = expectFrom(model, shown, run);
			model.delivered.push(...due.keys);
			expected.push(due);
		}
		const { items } = state.poll(observations, USERS);
		const keys = items.map(({ json }) => json.key);
		expect(keys.sort()).toEqual(expected.flatMap((due) => due.keys).sort());
		const times = items.map(({ time }) => time);
		expect(times).toEqual([...times].sort((one, other) => one - other));
		// If a filter hides the first transfers after a gap, the flag comes later; see transfers.test.mts.
		if (run.minimum === 0n) {
			const flagged = items.filter(({ json }) => json.gapPossible === true).length;
			const due = expected.filter(({ gapPossible }) => gapPossible);
			expect(flagged).toBe(due.flatMap((one) => one.keys).length);
		}
	}
	for (const { delivered, chain, seen } of models.values()) {
		const made = chain.transfers.filter(({ number }) => seen.has(number)).map(({ key }) => key);
		for (const key of delivered) {
			const count = (keys: string[]): number => keys.filter((one) => one === key).length;
			expect(count(delivered)).toBeLessThanOrEqual(count(made));
		}
	}
}

test('every listed transfer is returned exactly once', async () => {
	await forAll([sequence], 6000, check);
});
