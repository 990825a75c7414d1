/** A model never sends an equal call twice in one execution, nor, through the same node, in another one within ten minutes. */
import type { IDataObject } from 'n8n-workflow';

import { done, hashOf, LOST } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import type { Caller } from './support/ephemeral-calls.mts';
import { sendOf, WRITES } from './support/kinds-of-writes.mts';
import { TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const MINUTE_MS = 60_000;

/** By how much the clock of the process is ahead, in milliseconds. */
let aheadMs = 0;
beforeAll(() => {
	const now = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
});
afterAll(() => jest.restoreAllMocks());

let number = 0;
beforeEach(() => void (number += 1));

const send = (changes: IDataObject = {}) => sendOf({ amount: '5', ...changes });
const call = async (execution: number, caller: Caller = {}, parameters = send()) =>
	await node.tool(parameters, {}, { executionId: `${number}-${execution}`, ...caller });

describe.each(Object.entries(WRITES))('%s', (_kind, { same }) => {
	test('an equal call is answered by the first one, and sent again with another Order ID', async () => {
		const ordered = (orderId: string) => ({ ...same, orderId });
		const calls = [same, same, ordered('2'), ordered('2'), ordered('3')];
		const answers = [];
		for (const call of calls) answers.push(await node.tool(call));
		const summary = expect.stringMatching(
			/^Not sent again, already sent just now: .*\. For a further equal (payment|call) give an Order ID that was not used yet$/,
		);
		const replayed = { submitted: true, replayed: true, summary };
		expect(answers).toMatchObject([
			{ submitted: true, hash: hashOf(1) },
			{ ...replayed, hash: hashOf(1) },
			{ submitted: true, hash: hashOf(2) },
			{ ...replayed, hash: hashOf(2) },
			{ submitted: true, hash: hashOf(3) },
		]);
		for (const index of [0, 2, 4]) expect(answers[index]).not.toHaveProperty('replayed');
		expect(node.service.writes).toHaveLength(3);
	});
});

test('in one execution it is answered by the first one, whenever and by whichever tool it is made', async () => {
	const first = await call(1);
	aheadMs += 11 * MINUTE_MS;
	for (const caller of [{}, { node: 'Other Tool' }])
		expect(await call(1, caller)).toMatchObject({ hash: first.hash, replayed: true });
	expect(node.service.writes).toHaveLength(1);
});

test('in another execution it is answered for ten minutes', async () => {
	const first = await call(1);
	aheadMs += 9 * MINUTE_MS;
	expect(await call(2)).toMatchObject({ hash: first.hash, replayed: true });
	aheadMs += 2 * MINUTE_MS;
	expect(await call(3)).toMatchObject({ hash: hashOf(2) });
	expect(node.service.writes).toHaveLength(2);
});

test('what has answered a call of an execution answers it there for good', async () => {
	const first = await call(1);
	aheadMs += 9 * MINUTE_MS;
	await call(2);
	aheadMs += 9 * MINUTE_MS;
	expect(await call(2)).toMatchObject({ hash: first.hash, replayed: true });
	expect(await call(3)).toMatchObject({ hash: hashOf(2) });
});

test('the call of another user is sent, also with the same credential', async () => {
	const as = (accessToken: string) => ({ credential: node.service.credential({ accessToken }) });
	const callAs = async (execution: number, token: string) =>
		await node.tool(send(), {}, { executionId: `${number}-${execution}`, ...as(token) });
	await callAs(1, 'of-anna');
	expect(await callAs(2, 'of-bert')).toMatchObject({ hash: hashOf(2) });
	expect(await callAs(3, 'of-anna')).toMatchObject({ hash: hashOf(1), replayed: true });
});

test.each<[string, Caller, IDataObject]>([
	['another node', { node: 'Other Tool' }, send()],
	['another workflow', { workflowId: 'w2' }, send()],
	['another amount', {}, send({ amount: '6' })],
])('in another execution by %s it is sent', async (_what, caller, parameters) => {
	await call(1);
	expect(await call(2, caller, parameters)).toMatchObject({ hash: hashOf(2) });
});

test('how it is written does not matter, and the raw answer says why nothing was sent', async () => {
	await call(1);
	const raw = await call(1, {}, send({ amount: '5.00', output: 'raw' }));
	const warning = expect.stringMatching(/^Not sent again, already sent just now: 5 SUSD to /);
	expect(raw).toMatchObject({ hash: hashOf(1), replayed: true, warning });
});

test('Send Again sends it', async () => {
	await call(1);
	const again = send({ options: { sendAgain: true } });
	expect(await call(1, {}, again)).toMatchObject({ hash: hashOf(2) });
});

test('a refused call is sent when it is made again', async () => {
	node.service.answer({ status: 400, body: 'no' }, done(7));
	await expect(call(1)).rejects.toThrow('no');
	expect(await call(1)).toMatchObject({ hash: hashOf(7) });
});

test('in a Retry a call that cannot be read may have been sent', async () => {
	const unread = call(1, { mode: 'retry' }, send({ amount: "={{ $fromAI('amount') }}" }));
	const details = { outcome: 'unknown', code: 'not-sent-again' };
	await expect(unread).rejects.toMatchObject({ context: { details } });
	await expect(unread).rejects.toThrow('the retried execution may have sent this call');
});

test('a call of unknown outcome stays blocked', async () => {
	node.service.answer(LOST);
	await expect(call(1)).rejects.toThrow('MAY have been sent');
	await expect(call(1)).rejects.toThrow('Not sent again');
});

describe.each([
	['amount', '={{ $json.amount }}'],
	['amount', "={{ Math.min($fromAI('amount'), $json.cap) }}"],
	['recipient', '={{ $input.item.json.to }}'],
	['amount', '={{ $input.first().json.amount }}'],
	['recipient', '={{ $binary.file.fileName }}'],
	['amount', '={{ $item(0).$json?.amount ?? "5" }}'],
	['amount', '={{ this.$json?.amount ?? "5" }}'],
	['orderId', '={{ $data.order ?? "7" }}'],
	['options', { orderId: '={{ $data.order ?? "7" }}' }],
])('%s as %j', (parameter, value) => {
	test('is refused, because it shows the words of the model in place of the item', async () => {
		const given = { ...send(), [parameter]: value } as IDataObject;
		const refused = call(1, {}, given);
		const words = 'shows the words of the model in place of the item';
		await expect(refused).rejects.toThrow(words);
		const details = { outcome: 'refused', code: 'invalid-input' };
		await expect(refused).rejects.toMatchObject({ context: { details } });
		await expect(refused).rejects.toMatchObject({
			description: expect.stringContaining("{{ $('Webhook').item.json"),
		});
		expect(node.service.requests).toEqual([]);
	});
});

test.each([
	['a value of the model', "={{ $fromAI('number', '', 'string') }}"],
	['a named node', "={{ $('Start').item?.json.number ?? '7' }}"],
	['the time', '={{ String($itemIndex + 7) }}'],
])('%s is no value of the item', async (_what, number) => {
	const args = number.replace(/^=\{\{(.*)\}\}$/, '={{ [$1] }}');
	const refused = node.tool(storeCall(TOKEN, { args }), { number: '7' });
	const error = await refused.then(() => '', String);
	expect(error).not.toContain('words of the model');
});
