/** Writes in sub-workflows: the effect of Retry on Fail inside and around them, and their shared state. */
import type { FaultKind, FaultParameters } from '../../../sandbox/src/faults/fault.mts';
import { readObject } from '../../../tools/files/json.mts';
import {
	AS_GIVEN,
	BY_TIME,
	mintedTo,
	mintItems,
	mintNode,
	RETRY_ON_FAIL,
} from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import {
	calledByOthers,
	callOf,
	chainedWorkflow,
	contractCall,
	itemsPosted,
	walletNode,
	webhook,
} from '../../support/n8n/workflow.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { LIMITED, n8n } from '../support/shared-n8n.mts';

/** A hash in an answer that does not prove whether the write was sent. */
const NAMED = `0x${'5'.repeat(64)}`;

/** The calling workflows: which workflow each one calls, whether once or for each item, and with which settings. */
const PARENTS: Record<string, Parameters<typeof callOf>> = {
	mintEach: ['mint', 'each'],
	mintOnce: ['mint', 'once'],
	retryInEach: ['retryingMint', 'each'],
	retryInOnce: ['retryingMint', 'once'],
	retryAround: ['mint', 'each', RETRY_ON_FAIL],
	payEach: ['pay', 'each'],
	payOnce: ['pay', 'once'],
};

beforeAll(async () => {
	const { client, contracts } = n8n;
	const pay = {
		...contractCall('write', contracts.shapes, 'pay() payable returns (uint256 total)'),
		options: { nativeCoin: '={{ $json.wei }} wei' },
	};
	const called = {
		mint: mintNode('Mint', contracts, AS_GIVEN),
		retryingMint: mintNode('Mint', contracts, BY_TIME, RETRY_ON_FAIL),
		pay: walletNode('Pay', LIMITED, pay),
	};
	await publishNew(client, [
		...Object.entries(called).map(([id, node]) => chainedWorkflow(id, [calledByOthers, node])),
		...Object.entries(PARENTS).map(([id, call]) =>
			chainedWorkflow(id, [webhook(id), itemsPosted, callOf(...call)]),
		),
	]);
});

test.each(['mintEach', 'mintOnce'])(
	'two equal writes are two transactions (%s)',
	async (parent) => {
		const { to, items } = mintItems('7', '7');
		const answer = await n8n.executions.call(parent, items);
		const hashes = await mintedTo(n8n.chain, to);
		expect(hashes).toHaveLength(2);
		expect(answer.items).toMatchObject(hashes.map((hash) => ({ submitted: true, hash })));
		expect(answer.items.filter((item) => 'replayed' in item)).toEqual([]);
	},
);

const pending = { afterWork: true, body: JSON.stringify({ status: 'PENDING', hash: NAMED }) };

test.each<
	[what: string, parent: string, kind: FaultKind, params?: FaultParameters, named?: string]
>([
	['is lost', 'retryInEach', 'drop-after'],
	['is lost, in one run with another write', 'retryInOnce', 'drop-after'],
	['proves nothing, but names a hash', 'retryInEach', 'wrong-shape', pending, NAMED],
])(
	'Retry on Fail of the inner node does not send again a write whose answer %s',
	async (...row) => {
		const [, parent, kind, params, ...named] = row;
		const { to, items } = mintItems('1', '2');
		await n8n.faults.hit(kind, WRITE, { params, skip: 1 });
		expect(await n8n.executions.call(parent, items)).toMatchObject({ status: 500 });
		const error = await n8n.executions.lastError('retryingMint');
		const context = readObject(error.context, 'the context');
		const { itemIndex, ...details } = readObject(context.details, 'the details');
		expect(itemIndex).toBe(parent === 'retryInOnce' ? 1 : 0);
		expect(details).toMatchObject({ outcome: 'unknown', code: 'not-sent-again' });
		expect(details.hashes ?? []).toEqual(named);
		const { message } = await n8n.executions.lastError(parent);
		expect(message).toContain('Not sent again');
		for (const hash of named) expect(message).toContain(hash);
		expect(await n8n.faults.requestsFor(WRITE)).toBe(2);
		const [answered, ...others] = await mintedTo(n8n.chain, to);
		expect(others).toHaveLength(1);
		expect(JSON.stringify(await n8n.executions.ended('retryingMint'))).toContain(answered);
	},
);

test('Retry on Fail of the calling node sends answered writes again, but none that may have been sent', async () => {
	const { to, items } = mintItems('5', '6');
	await n8n.faults.hit('drop-after', WRITE, { skip: 1 });
	expect(await n8n.executions.call('retryAround', items)).toMatchObject({ status: 500 });
	expect((await n8n.executions.lastError('mint')).message).toContain('Not sent again');
	const sent = await n8n.faults.requestsFor(WRITE);
	expect(sent).toBeGreaterThan(2);
	const hashes = await mintedTo(n8n.chain, to);
	expect(hashes).toHaveLength(sent);
	// Only the sub-workflow's own execution records what the first attempt sent.
	expect(JSON.stringify(await n8n.executions.ended('mint'))).toContain(hashes[0]);
});

describe('Max Native Coin per Execution', () => {
	const payments = [{ wei: '2000000000' }, { wei: '2000000000' }];

	test('counts each execution of a sub-workflow separately', async () => {
		const { items } = await n8n.executions.call('payEach', payments);
		expect(items).toMatchObject([{ submitted: true }, { submitted: true }]);
		expect(await n8n.faults.requestsFor(WRITE)).toBe(2);
	});

	test('limits one execution of it, which then sends nothing', async () => {
		expect(await n8n.executions.call('payOnce', payments)).toMatchObject({ status: 500 });
		const { message } = await n8n.executions.lastError('payOnce');
		expect(message).toContain('rule "Max Native Coin per Execution"');
		expect(await n8n.faults.requestsFor(WRITE)).toBe(0);
	});
});
