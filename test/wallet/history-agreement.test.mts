/** What is final in the history is what two endpoints list, whatever one of them says, and from when on. */
import { toBeHex, toQuantity } from 'ethers';
import { Resources } from '../support/resources.mts';
import { DEPTH } from './support/indexed.mts';
import type { Lie, ScriptedEndpoint } from './support/scripted-endpoint.mts';
import { scriptedIndex } from './support/scripted-index.mts';

type Form = Record<string, unknown>;

const formsIn = (value: unknown): Form[] =>
	Array.isArray(value) ? value.map((one: object) => ({ ...one })) : [];

/** Changes a list of logs. */
type Change = (logs: Form[]) => Form[];

const LIES: Record<string, Change> = {
	'leaves out logs': () => [],
	'changes an amount': (logs) => logs.map((log) => ({ ...log, data: toBeHex(77n, 32) })),
	'lists a log twice': (logs) =>
		logs.flatMap((log) => [log, { ...log, logIndex: toQuantity(900 + Number(log.logIndex)) }]),
	'invents a transaction': (logs) =>
		logs.flatMap((log) => [log, { ...log, transactionHash: `0x${'1e'.repeat(32)}` }]),
	'invents another one in its place': (logs) =>
		logs.map((log) => ({ ...log, transactionHash: `0x${'1e'.repeat(32)}` })),
	'says that another contract logged': (logs) =>
		logs.map((log) => ({ ...log, address: `0x${'fa'.repeat(20)}` })),
	'adds a log to the transaction': (logs) =>
		logs.flatMap((log) => [log, { ...log, data: toBeHex(5n, 32), logIndex: '0x384' }]),
};

/** Lies about logs; also about those in receipts, if asked to. */
function lieAboutLogs(endpoint: ScriptedEndpoint, change: Change, areReceiptsFalse: boolean): void {
	const resultOf = (answer: ReturnType<Parameters<Lie>[1]>) =>
		'result' in answer ? answer.result : undefined;
	endpoint.lie('eth_getLogs', (_request, honest) => ({
		result: change(formsIn(resultOf(honest()))),
	}));
	if (!areReceiptsFalse) return;
	const falsified = (receipt: Form): Form => ({ ...receipt, logs: change(formsIn(receipt.logs)) });
	endpoint.lie('eth_getBlockReceipts', (_request, honest) => ({
		result: formsIn(resultOf(honest())).map(falsified),
	}));
	endpoint.lie('eth_getTransactionReceipt', (_request, honest) => {
		const [receipt] = formsIn([resultOf(honest())]);
		return { result: receipt ? falsified(receipt) : null };
	});
}

const NAMES = Object.keys(LIES);
const PLACES = [0, 1];

describe.each(PLACES)('the liar is endpoint %i', (liar) => {
	test.each(NAMES)('one that %s, in lists only: the receipts decide', async (name) => {
		await using own = new Resources();
		const { chain, endpoints, read, pay, listed, truth, cursors, index } = await scriptedIndex(own);
		pay(1n);
		chain.mine(2 * DEPTH);
		await read();
		const change = LIES[name];
		if (endpoints[liar] && change) lieAboutLogs(endpoints[liar], change, false);
		for (const amount of [2n, 3n]) {
			pay(amount);
			chain.mine(DEPTH);
			await read();
		}
		chain.mine(DEPTH);
		await read();
		const { final } = await cursors();
		expect(final).toBe(chain.head - DEPTH);
		expect(await listed(final)).toEqual(truth(final));
		expect(truth(final)).toHaveLength(3);
		expect(index().isDisputed).toBe(false);
	});

	test.each(NAMES)(
		'one that %s, everywhere: the history waits, says so, and heals',
		async (name) => {
			await using own = new Resources();
			const { chain, endpoints, read, pay, listed, truth, cursors, index, log } =
				await scriptedIndex(own);
			pay(1n);
			chain.mine(2 * DEPTH);
			await read();
			const change = LIES[name];
			if (endpoints[liar] && change) lieAboutLogs(endpoints[liar], change, true);
			chain.mine(2);
			pay(2n);
			chain.mine(2 * DEPTH);
			const paid = chain.head - 2 * DEPTH + 1;
			await read();
			expect((await cursors()).final).toBe(paid - 1);
			expect(await listed(paid - 1)).toEqual(truth(paid - 1));
			expect(index()).toMatchObject({ isDisputed: true, unconfirmed: paid });
			const said = `The endpoints list different transfers in block ${paid}`;
			expect(log.filter((line) => line.startsWith(said))).toHaveLength(1);
			endpoints[liar]?.becomeHonest();
			await read();
			expect((await cursors()).final).toBe(chain.head - DEPTH);
			expect(await listed()).toEqual(truth());
			expect(index()).toMatchObject({ isDisputed: false, unconfirmed: undefined });
		},
	);
});

test('of three endpoints, two that agree suffice', async () => {
	await using own = new Resources();
	const { chain, endpoints, read, pay, listed, truth, cursors } = await scriptedIndex(own, {
		endpoints: 3,
	});
	await read();
	if (endpoints[0]) lieAboutLogs(endpoints[0], LIES['leaves out logs'] ?? (() => []), true);
	pay(9n);
	chain.mine(3 * DEPTH);
	await read();
	const { final } = await cursors();
	expect(final).toBe(chain.head - DEPTH);
	expect(await listed(final)).toEqual(truth(final));
	expect(truth(final)).toHaveLength(1);
});

test('an endpoint that is silent at the final reading lets it wait, and new transfers are listed', async () => {
	await using own = new Resources();
	const { chain, endpoints, read, pay, listed, truth, cursors, restart } = await scriptedIndex(own);
	await read();
	const { final } = await cursors();
	if (endpoints[1]) endpoints[1].isDead = true;
	pay(4n);
	chain.mine(4 * DEPTH);
	await read();
	expect(await cursors()).toEqual({ final, head: chain.head });
	expect(await listed()).toEqual(truth());
	await restart();
	await read();
	expect((await cursors()).final).toBe(final);
	if (endpoints[1]) endpoints[1].isDead = false;
	await read();
	expect((await cursors()).final).toBe(chain.head - DEPTH);
});
