/** Find Transfer in simulated time, whatever happens to the writes, compared with lists that may lag behind or be short. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { ServiceClient } from '../../../nodes/WalletService/request/http/service-client.ts';
import { ServiceError } from '../../../nodes/WalletService/request/failure/service-error.ts';
import { ROUTES } from '../../../nodes/WalletService/request/http/routes.ts';
import { planFind } from '../../../nodes/WalletService/resources/history/find.ts';
import { forAll } from '../support/for-all.mts';
import { itemOf, newRun } from '../support/item.mts';
import type { Asked, Outcome, Write } from '../support/simulated-chain.mts';
import {
	findFaults,
	simulateChain,
	START,
	submittedHash,
	TOKENS,
	WALLETS,
	write,
} from '../support/simulated-chain.mts';

const OWNER = { id: 'DISCORD-1', address: `0x${'99'.repeat(20)}` };
const CLOCK_ERROR_MS = 60_000;

const question = fc.record({
	wait: fc.constantFrom(0, 0, 5, 30),
	knowsTime: fc.boolean(),
	isAsked: fc.boolean(),
});

const world = fc.record({
	/** One setting for all items of a node. */
	by: fc.constantFrom('hash' as const, 'content' as const),
	writes: fc.array(fc.record({ write, question }), { minLength: 40, maxLength: 50 }),
	window: fc.constantFrom(1, 3, 6, 100),
	latencyMs: fc.integer({ min: 0, max: 900 }),
	/** Difference between the clocks of n8n and of the chain. */
	clockErrorMs: fc.oneof(fc.constant(0), fc.integer({ min: -CLOCK_ERROR_MS, max: CLOCK_ERROR_MS })),
});

function askedOf(
	{ token, to, units, submittedBefore }: Write,
	number: number,
	{ by, knowsTime, clockErrorMs }: { by: Asked['by']; knowsTime: boolean; clockErrorMs: number },
): Asked {
	const isKnown = knowsTime || by !== 'hash';
	return {
		by,
		token,
		to,
		units,
		hash: submittedHash(number),
		...(isKnown && { since: START - submittedBefore + clockErrorMs }),
	};
}

function findItem(index: number, { by, hash, token, to, units, since }: Asked, wait: number) {
	const submittedAt = since === undefined ? 'unknown' : new Date(since).toISOString();
	const parameters = {
		userId: OWNER.id,
		transactionHash: hash,
		token,
		recipient: to,
		amount: units === 1n ? '0.000001' : '12.5',
		waitUpTo: wait,
		options: { findBy: by, submittedAt },
	};
	const evaluateExpression = () => [];
	return itemOf(index, parameters, { evaluateExpression });
}

async function lookFor(
	chain: { readonly history: () => Promise<unknown> },
	questions: readonly { asked: Asked; wait: number }[],
	run = newRun(),
): Promise<Outcome[]> {
	const client = {
		account: async () => await Promise.resolve({ key: 'one service' }),
		once: async (what: string[], make: () => Promise<unknown>) =>
			await run.once.get(JSON.stringify(what), make),
		get: async (url: string) =>
			url.endsWith('/history') ? await chain.history() : await Promise.resolve(OWNER),
	} as unknown as ServiceClient;
	const outcomes: Outcome[] = [];
	const all = questions.map(async ({ asked, wait }, index) => {
		const route = { ...ROUTES.history, isSimple: true };
		const planned = await planFind(findItem(index, asked, wait), run, route);
		const [json = {}] = await planned.send(client);
		if (!(json instanceof ServiceError)) outcomes[index] = { asked, json, endedAt: Date.now() };
	});
	let isOver = false;
	const over = Promise.allSettled(all).finally(() => (isOver = true));
	while (!isOver) await jest.advanceTimersByTimeAsync(5000);
	await over;
	await Promise.all(all);
	return outcomes;
}

beforeEach(() => jest.useFakeTimers({ now: START }));
afterEach(() => jest.useRealTimers());

test('the results for 10,000 writes match what the service listed', async () => {
	let writes = 0;
	const results = new Set<string>();
	await forAll([world], 250, async ({ by, writes: made, window, latencyMs, clockErrorMs }) => {
		jest.setSystemTime(START);
		const all = made.map((one) => one.write);
		const chain = simulateChain(all, { window, latencyMs });
		const questions = made.flatMap(({ write: one, question: { isAsked, knowsTime, wait } }, n) =>
			isAsked ? [{ asked: askedOf(one, n, { by, clockErrorMs, knowsTime }), wait }] : [],
		);
		const outcomes = await lookFor(chain, questions);
		writes += made.length;
		for (const { json } of outcomes)
			results.add([json.seen, json.matchedBy, json.windowCovers].map(String).join(' '));
		expect(findFaults(outcomes, chain.given, START)).toEqual([]);
	});
	expect(writes).toBeGreaterThanOrEqual(10_000);
	expect([...results].sort()).toEqual([
		...['false undefined false', 'false undefined true', 'false undefined undefined'],
		...['true content false', 'true content true'],
		...['true hash false', 'true hash true', 'true hash undefined'],
	]);
});

/** One of many equal, simultaneous payments in different transactions. */
const payment: Write = {
	fate: 'mined',
	token: TOKENS[0],
	to: WALLETS[0],
	units: 1n,
	submittedBefore: 400_000,
	minedAfter: 0,
	lag: 0,
	undoneAfter: 0,
};
const payments = new Array<Write>(300).fill(payment);
const chainOfPayments = () => simulateChain(payments, { window: 300, latencyMs: 0 });

test.each(['hash', 'content'] as const)(
	'many items that search by %s read each entry once',
	async (by) => {
		const chain = chainOfPayments();
		let reads = 0;
		const history = async () =>
			[await chain.history()].flat().map((entry) => {
				const { hash, ...rest } = Object(entry);
				const get = () => ((reads += 1), hash);
				return Object.defineProperty(rest, 'hash', { enumerable: true, get });
			});
		const known = { by, knowsTime: true, clockErrorMs: 0 };
		const questions = payments.map((one, n) => ({ asked: askedOf(one, n, known), wait: 0 }));
		const outcomes = await lookFor({ history }, questions);
		expect(new Set(outcomes.map(({ json }) => json.hash)).size).toBe(payments.length);
		// Each item's output also reads the hash.
		expect(reads).toBeLessThanOrEqual(3 * payments.length);
	},
);

test('only the last check of a run is kept', async () => {
	setFlagsFromString('--expose_gc');
	const collect = runInNewContext('gc');
	const answers: WeakRef<object>[] = [];
	const chain = chainOfPayments();
	const history = async () => {
		const [first, ...others] = [await chain.history()].flat();
		answers.push(new WeakRef(Object(first)));
		return [first, ...others];
	};
	const run = newRun();
	const asked = askedOf(payment, 5000, { by: 'hash', knowsTime: true, clockErrorMs: 0 });
	await lookFor({ history }, [{ asked, wait: 30 }], run);
	collect();
	expect(answers).toHaveLength(6);
	expect(answers.filter((answer) => answer.deref() !== undefined)).toHaveLength(1);
});
