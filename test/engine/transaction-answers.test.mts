/** Transaction: Get, whatever the service answers. */
import type { IDataObject } from 'n8n-workflow';

import type { ScriptedAnswer } from './support/answers.mts';
import { hashOf, json } from './support/answers.mts';
import { BOB, entryOf } from './support/scripted-world.mts';
import { useNode, waited } from './support/use-node.mts';

const node = useNode();

const HASH = hashOf(7);
const GET = { resource: 'transaction', operation: 'get', transactionHash: HASH };
const EXPLORER = `http://127.0.0.1/tx/${HASH}`;
const OPEN = { status: 'PENDING', confirmations: 0, final: false, transfers: [] };
const PENDING = { ...OPEN, hash: HASH, explorerUrl: EXPLORER };
const IN_BLOCK = { ...PENDING, minedHash: HASH, blockNumber: 1234, confirmations: 3 };
const SUCCESS = { ...IN_BLOCK, status: 'SUCCESS', transfers: [entryOf({ hash: HASH })] };
const REVERTED = { ...IN_BLOCK, status: 'REVERTED', revertReason: 'No gas' };
const CANCELLED = { ...IN_BLOCK, status: 'CANCELLED', minedHash: hashOf(8), final: true };
const FOREIGN = { ...PENDING, status: 'FOREIGN', final: true };
const UNKNOWN = json({ error: 'Unknown', code: 'unknown_transaction', field: 'hash' }, 404);

/** Answers the requests about transactions, the last one again and again. */
function answerWith(...answers: ScriptedAnswer[]): void {
	node.service.script = ({ path }) => {
		if (!path.startsWith('/v1/transactions/')) return undefined;
		return answers.length > 1 ? answers.shift() : answers[0];
	};
}

beforeEach(() => void (node.service.description = { transactions: true }));

const TO_BOB = `12.5 SUSD to Rahul (${BOB.address.slice(0, 6)}…${BOB.address.slice(-4)})`;
const NOT_FINAL = 'moved nothing, but this is not final: do not resend yet.';
const many = [1, 2, 3, 4, 5].map(() => entryOf({ hash: HASH }));
const odd = 'ERC20: <b>no\n\u202e`money`</b>.';

test.each<[name: string, answer: IDataObject, summary: string | RegExp]>([
	['success', SUCCESS, `Succeeded: ${TO_BOB}, block 1234`],
	['success without transfers', { ...SUCCESS, transfers: [] }, 'Succeeded, block 1234'],
	[
		'success of which too few endpoints tell what it moved',
		{ ...SUCCESS, final: true, transfers: [], note: 'Its transfers are not listed' },
		'Succeeded, block 1234. Its transfers are not listed',
	],
	[
		'a revert whose reason is not certain',
		{ ...REVERTED, note: 'Too few endpoints say why' },
		`Reverted: No gas. Too few endpoints say why. It ${NOT_FINAL}`,
	],
	[
		'success with many transfers',
		{ ...SUCCESS, transfers: many },
		`Succeeded: 5 transfers: ${TO_BOB}, ${TO_BOB}, ${TO_BOB}, and 2 more, block 1234`,
	],
	['a revert', REVERTED, `Reverted: No gas. It ${NOT_FINAL}`],
	['a final one', { ...REVERTED, final: true }, /^Reverted: No gas\. .* use a new Order ID, or/],
	[
		'one of a payment',
		{ ...REVERTED, intended: [entryOf({ hash: HASH })] },
		`Reverted: ${TO_BOB}. No gas. It ${NOT_FINAL}`,
	],
	['a revert in words of strangers', { ...REVERTED, revertReason: odd }, /^Reverted: ERC20: ‹b›no/],
	['a revert without a reason', { ...REVERTED, revertReason: ' ' }, `Reverted. It ${NOT_FINAL}`],
	['a cancelled one', CANCELLED, /^Cancelled .*, block 1234: it has no effect$/],
	[
		'one that is cancelled for now',
		{ ...CANCELLED, final: false },
		/^Cancelled (?!.*no effect).*not final.*do not resend/,
	],
	['a foreign one', FOREIGN, /^Replaced by .*another program.*: it has no effect$/],
	[
		'one whose result is not known yet',
		{ ...PENDING, note: 'It is in block 1234, but whether it succeeded is not known yet.' },
		/^Pending, checked once: It is in block 1234, but whether it succeeded is not known yet\. It may still be carried out; do not resend/,
	],
	[
		'one that was refused',
		{ ...PENDING, lastRefusal: 'gas limit too high' },
		/^Not in a block yet, checked once\. An endpoint of the network refused it: gas limit too high\. It may still/,
	],
	[
		'one with texts of strangers',
		{ ...PENDING, note: odd, lastRefusal: odd },
		/^Pending, checked once: ERC20: ‹b›no .*\. An endpoint of the network refused it: ERC20.*\. It may/,
	],
	[
		'one with long texts',
		{ ...PENDING, note: 'no gas '.repeat(9000), lastRefusal: `0x${'ab'.repeat(9000)}` },
		/^Pending, checked once: (?:no gas ){10,40}no( gas)?…\. .* refused it: 0x[ab]+…\. It may/,
	],
	['one in no block', PENDING, /^Not in a block yet, checked once\. .*do not resend/],
])('%s in words', async (_name, answer, summary) => {
	answerWith(json(answer));
	const [item = {}] = await node.outputs(GET);
	expect(item.summary).toEqual(
		typeof summary === 'string' ? summary : expect.stringMatching(summary),
	);
	expect(item.summary).not.toMatch(/[<>`\u0000-\u001f\u202e]/);
	const { status, final, confirmations } = answer;
	expect(item).toMatchObject({ status, final, confirmations, hash: HASH, explorerUrl: EXPLORER });
	expect(item).not.toHaveProperty('transfers');
	expect(await node.items({ ...GET, simplify: false })).toEqual([answer]);
});

test('Find Transfer says why the transaction is pending that it does not find', async () => {
	const find = { resource: 'history', operation: 'find', transactionHash: HASH };
	answerWith(json({ ...PENDING, note: odd }));
	const [item = {}] = await node.outputs(find);
	expect(item.note).toMatch(/^ERC20: ‹b›no/);
	const summary = `Not found yet (checked once): ${String(item.note)}. It may still be pending`;
	expect(item).toMatchObject({ seen: false, summary: expect.stringContaining(summary) });
	expect(item).not.toHaveProperty('status');
	answerWith(json(PENDING));
	expect((await node.outputs(find))[0]).not.toHaveProperty('note');
});

test('the reason why it is pending is a field, cleaned and cut, and what is no text is none', async () => {
	const [note, lastRefusal] = [
		'its nonce is <b>used</b>\u202e.',
		`nonce too low ${'x'.repeat(900)}`,
	];
	answerWith(json({ ...PENDING, note, lastRefusal }));
	const [item = {}] = await node.outputs(GET);
	expect(item.note).toBe('its nonce is ‹b›used‹/b›');
	expect(item.lastRefusal).toMatch(/^nonce too low x{200,240}…$/);
	expect(Object.keys(item).slice(0, 6)).toEqual([
		...['summary', 'status', 'final', 'confirmations', 'note', 'lastRefusal'],
	]);
	for (const odd of [undefined, null, '', ' ', 7, {}, ['a b']]) {
		answerWith(json({ ...PENDING, note: odd, lastRefusal: odd }));
		const [other = {}] = await node.outputs(GET);
		expect(other.summary).toMatch(/^Not in a block yet, checked once\. It may still/);
		expect(other).not.toHaveProperty('note');
		expect(other).not.toHaveProperty('lastRefusal');
	}
});

test.each(['', '/', '#eventlog', `?block=0x${'b'.repeat(64)}`])(
	'the page of a transaction is taken as its hash (%j)',
	async (rest) => {
		answerWith(json(PENDING));
		const transactionHash = `https://etherscan.io/tx/${HASH.toUpperCase().replace('X', 'x')}${rest}`;
		expect(await node.outputs({ ...GET, transactionHash })).toMatchObject([{ hash: HASH }]);
		expect(new Set(node.service.asked('/v1/transactions/'))).toEqual(
			new Set([`/v1/transactions/${HASH}`]),
		);
	},
);

test.each<[name: string, answer: unknown, field: string]>([
	['of another transaction', { ...SUCCESS, hash: hashOf(9) }, 'hash'],
	['without a hash', { ...SUCCESS, hash: undefined }, 'hash'],
	['with an unknown status', { ...SUCCESS, status: 'DONE' }, 'status'],
	['with a list as its status', { ...SUCCESS, status: ['SUCCESS'] }, 'status'],
	['without finality', { ...SUCCESS, final: 'yes' }, 'final'],
	['without confirmations', { ...PENDING, confirmations: -1 }, 'confirmations'],
	['that is pending for good', { ...PENDING, final: true }, 'contradict'],
	['that is final below no block', { ...SUCCESS, final: true, confirmations: 0 }, 'contradict'],
	['without a block', { ...SUCCESS, blockNumber: '12' }, 'blockNumber'],
	['without the mined transaction', { ...CANCELLED, minedHash: null }, 'minedHash'],
	['without a reason', { ...REVERTED, revertReason: {} }, 'revertReason'],
	['without transfers', { ...SUCCESS, transfers: undefined }, 'list of transfers'],
	['with intended transfers that are none', { ...REVERTED, intended: {} }, 'list of transfers'],
	['with a malformed transfer', { ...SUCCESS, transfers: [{ to: {} }] }, 'entry 1'],
	['that is a list', [SUCCESS], 'hash'],
	['that is null', null, 'hash'],
])('an answer %s is refused', async (_name, answer, field) => {
	answerWith(json(answer));
	for (const simplify of [true, false]) {
		const { error, items } = await node.run({ ...GET, simplify });
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/does not have the expected form/);
		expect(error?.message).toContain(field);
		expect(error).toMatchObject({ context: { details: { code: 'unreadable-answer' } } });
	}
});

test.each([
	...['javascript:alert(1)', 'data:text/html,x', { a: 1 }, 'https://user@explorer.example/tx'],
	...[
		'https://x.example/](javascript:alert(1))',
		'https://x.example/"x',
		'https://x.example/\u202etx',
	],
])('the page %p of an answer is left out', async (page) => {
	answerWith(json({ ...SUCCESS, explorerUrl: page }));
	const [item] = await node.items(GET);
	expect(item).toMatchObject({ status: 'SUCCESS' });
	expect(item).not.toHaveProperty('explorerUrl');
});

test('it waits until the transaction is in a block, also if the service does not know it yet', async () => {
	answerWith(UNKNOWN, json(PENDING), json(SUCCESS));
	const [item] = await node.items({ ...GET, waitUpTo: 20 });
	expect(item).toMatchObject({ status: 'SUCCESS', checkedFor: waited(5) });
	expect(node.service.asked('/v1/transactions/')).toHaveLength(3);
});

test('the summary of a wait without a block, and the error for an unknown hash, state its duration', async () => {
	answerWith(json(PENDING));
	const [item] = await node.items({ ...GET, waitUpTo: 1 });
	expect(item?.summary).toMatch(/^Not in a block yet, checked for \d s\./);
	answerWith(UNKNOWN);
	const { error } = await node.run({ ...GET, waitUpTo: 1 });
	expect(error?.message).toMatch(/does not know this transaction \(checked for \d s\)/);
});

test.each([{}, { transactions: false }, { transactions: 'true' }, []])(
	'a service that says %j is asked no further',
	async (description) => {
		node.service.description = description;
		for (const { error } of await node.both(GET)) {
			expect(error?.message).toContain('History: Find Transfer');
			expect(error).toMatchObject({ context: { details: { code: 'not-supported' } } });
		}
		expect(node.service.requests).toEqual([]);
	},
);

test.each<[name: string, answer: ScriptedAnswer, code: string]>([
	['unknown_route', json({ error: 'No', code: 'unknown_route' }, 404), 'not-supported'],
	['404 without words', { status: 404 }, 'not-supported'],
	['a web page of a proxy', { status: 404, body: '<h1>Not here</h1>' }, 'unreadable-answer'],
	[
		'an error in XML',
		{ status: 404, body: '<Error><code>unknown_transaction</code></Error>' },
		'unreadable-answer',
	],
	[
		'424',
		json({ error: 'No endpoint answers', code: 'chain_unavailable' }, 424),
		'unexpected-status',
	],
	['401', { status: 401 }, 'unauthorized'],
	['500', { status: 500 }, 'service-error'],
])('%s is not taken for an unknown transaction', async (_name, answer, code) => {
	answerWith(answer);
	const { error } = await node.run({ ...GET, options: { maxTries: 1 } });
	expect(error).toMatchObject({ context: { details: { code } } });
});
