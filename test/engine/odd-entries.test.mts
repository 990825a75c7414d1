/** A history with an entry outside the interface: it is named by its number and field, and concerns nothing else. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf, json } from './support/answers.mts';
import { BOB, TOKEN } from './support/scripted-world.mts';
import { failureOf, useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);

const HISTORY = { resource: 'history', operation: 'list', returnAll: true };
const FIND = { resource: 'history', operation: 'find' };

const AMOUNT = {
	valueBn: { type: 'BigNumber', hex: '0xbebc20' },
	formatted: 12.5,
	decimals: 6,
	symbol: 'SUSD',
	tokenAddress: TOKEN,
	network: 'SANDBOX',
	chainId: 1,
};
const entryOf = (number: number, changes: object = {}) => ({
	type: 'TRANSFER',
	to: { username: 'Rahul', address: BOB.address },
	amount: AMOUNT,
	timestamp: '2026-11-21T12:00:00.000Z',
	hash: hashOf(number),
	...changes,
});
const amountWith = (changes: object) => ({ amount: { ...AMOUNT, ...changes } });

/** Answers with three entries, the second of which is odd. An entry before them that is not a transfer is counted. */
function answerWith(odd: unknown): void {
	const failedOne = { type: 'FAILED', hash: hashOf(9) };
	const body = [failedOne, entryOf(1), odd, entryOf(3)];
	node.service.script = ({ path }) => (path.endsWith('/history') ? json(body) : undefined);
}

const find = async (more: IDataObject, given: IDataObject = {}) =>
	(await node.both({ ...FIND, ...more }, { items: [given] })).map(({ items, error }) => {
		expect(error === undefined).toBe(items.length === 1);
		return error?.message ?? items[0]?.json.seen;
	});

const ODD: readonly [field: string, changes: object, got: string][] = [
	['amount.decimals', amountWith({ decimals: null }), 'null'],
	['amount.decimals', amountWith({ decimals: '0x12' }), '"0x12"'],
	['amount.decimals', amountWith({ decimals: undefined }), 'undefined'],
	['amount.decimals', amountWith({ decimals: 256 }), '256'],
	['amount.valueBn', amountWith({ valueBn: null }), 'null'],
	['amount.valueBn', amountWith({ valueBn: '1.5' }), '"1.5"'],
	['amount', { amount: null }, 'null'],
	['to', { to: null }, 'null'],
	['to', { to: [] }, '[]'],
	['to.address', { to: { username: 'Rahul' } }, 'undefined'],
	['to.address', { to: { address: null } }, 'null'],
];

describe.each(ODD)('an invalid %s (%j)', (field, changes, got) => {
	beforeEach(() => answerWith(entryOf(2, changes)));

	const named = expect.stringContaining(
		`expected a valid "${field}" in entry 3 of the history, got ${got}`,
	);

	test('does not concern a search for another hash', async () => {
		expect(await find({ transactionHash: hashOf(1) })).toEqual([true, true]);
		expect(await find({ transactionHash: hashOf(4) })).toEqual([false, false]);
	});

	test('is named by a search for its hash, or for its content', async () => {
		expect(await find({ transactionHash: hashOf(2).toUpperCase().replace('X', 'x') })).toEqual([
			named,
			named,
		]);
		const content = {
			tokenAddress: TOKEN,
			to: BOB.address,
			amount: '7',
			submittedAt: '2026-11-21',
		};
		expect(await find({ options: { findBy: 'content' } }, content)).toEqual([named, named]);
	});

	test('is named by the trigger', async () => {
		const { message } = await failureOf(poller({ event: 'newTransfer', userIds: 'X-1' }).poll());
		expect(message).toEqual(named);
	});

	test('is named by Get Many, unless nothing has to be read', async () => {
		// The entry that is not a transfer is odd as well.
		node.service.script = ({ path }) =>
			path.endsWith('/history') ? json([entryOf(1), entryOf(9), entryOf(2, changes)]) : undefined;
		expect((await node.run(HISTORY)).error?.message).toEqual(named);
		expect(await node.items({ ...HISTORY, simplify: false })).toHaveLength(3);
	});
});

test.each([null, 7, 'x', [], { ...entryOf(2, { to: null }), hash: undefined }])(
	'an entry without a hash, such as %j, may be the wanted one',
	async (odd) => {
		answerWith(odd);
		expect(await find({ transactionHash: hashOf(3) })).toEqual([true, true]);
		const named = expect.stringMatching(/^(?=.*entry 3 of the history).*form/);
		expect(await find({ transactionHash: hashOf(2) })).toEqual([named, named]);
	},
);

test.each([
	['hash', { hash: '0x' }, '"0x"'],
	['timestamp', { timestamp: 'yesterday' }, '"yesterday"'],
	['amount.tokenAddress', amountWith({ tokenAddress: '0x12' }), '"0x12"'],
	['to.address', { to: { address: 'Rahul' } }, '"Rahul"'],
])('the trigger also needs a valid %s', async (field, changes, got) => {
	answerWith(entryOf(2, changes));
	const { message } = await failureOf(poller({ event: 'newTransfer', userIds: 'X-1' }).poll());
	expect(message).toContain(`expected a valid "${field}" in entry 3 of the history, got ${got}`);
	if (field !== 'timestamp') return;
	const { error } = await node.run({ ...HISTORY, filters: { since: '2026-11-21' } });
	expect(error?.message).toMatch(/"to" in entry 1|"timestamp" in entry 3/);
});
