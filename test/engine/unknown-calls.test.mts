/** A call of unknown outcome is blocked for its credential, wherever it is repeated, until the block is lifted. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf, pending } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import type { Caller } from './support/ephemeral-calls.mts';
import { sendOf, transferOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, RETRY, useNode } from './support/use-node.mts';

const node = useNode();

const SPELLING = { contractAddress: TOKEN.toLowerCase() };
const RESEND = { options: { sendAgain: true } };
const AGAIN = { code: 'not-sent-again', outcome: 'unknown' };

const write = (changes: IDataObject = {}) => storeCall(TOKEN, changes);

/** The item of a node or a tool; rejected with its error. */
type Result = Promise<IDataObject>;

const run = async (changes: IDataObject = {}, settings: RunSettings = {}): Result => {
	const { items, error } = await node.run(write(changes), settings);
	// n8n keeps errors as plain objects.
	if (error !== undefined) throw Object.assign(new Error(), error);
	return items[0]?.json ?? {};
};

/** The same call, made by a tool without an execution. */
const tool = async (changes: IDataObject = {}, caller: Caller = {}): Result =>
	await node.tool(write(changes), {}, caller);

/** A call by the node's plain name, which n8n uses if it finds no tool by the longer one. */
const plainTool = async (changes: IDataObject = {}): Result =>
	await tool(changes, { type: 'walletService' });

describe.each([
	['node', run],
	['tool', tool],
	['tool by the plain name', plainTool],
])('a call that a %s left unknown', (_name, loseOne) => {
	test.each<[string, (changes?: IDataObject) => Result]>([
		['another execution', run],
		['another spelling', async (changes) => await run({ ...SPELLING, ...changes })],
		['a node that n8n runs again', async (changes) => await run(changes, { node: RETRY })],
		['a tool', tool],
		['a tool by the plain name', plainTool],
		['a tool of another workflow', async (changes) => await tool(changes, { workflowId: 'w2' })],
		['a tool of another name', async (changes) => await tool(changes, { node: 'Other' })],
	])('is refused to %s until the block is lifted', async (who, again) => {
		node.service.answer(pending(7));
		await expect(loseOne()).rejects.toThrow(hashOf(7));
		const details = { ...AGAIN, hashes: [hashOf(7)] };
		await expect(again()).rejects.toMatchObject({ context: { details } });
		expect(node.service.writes).toHaveLength(1);
		expect(await again(RESEND)).toMatchObject({ submitted: true, earlierHashes: [hashOf(7)] });
		// The outcome is now known, so each repetition is a new write, except by a model.
		const isOfModel = /tool/.test(who);
		expect(await again()).toMatchObject({ submitted: true, hash: hashOf(isOfModel ? 2 : 3) });
		expect(node.service.writes).toHaveLength(isOfModel ? 2 : 3);
	});

	test('blocks neither other credentials nor other calls', async () => {
		node.service.answer('cut');
		await expect(loseOne()).rejects.toThrow(/MAY have been sent/);
		expect(await tool({}, { credentialId: '9' })).toMatchObject({ submitted: true });
		expect(await run({ args: '["2"]' })).toMatchObject({ submitted: true });
		await expect(run()).rejects.toMatchObject({ context: { details: AGAIN } });
	});
});

test.each<[string, first: IDataObject, same: IDataObject[], other: IDataObject, sent: string[][]]>([
	[
		'its recipient',
		sendOf({ amount: '3.50' }),
		[BOB.id, BOB.address].map((recipient) => sendOf({ recipient, amount: '3.5' })),
		sendOf({ recipient: ALICE.id, amount: '3.5' }),
		[BOB, ALICE].map(({ address }) => [address, '3500000']),
	],
	[
		'its amount',
		transferOf('12.5 token'),
		['12.50 SUSD', '12500000', '12.5 * 10^6'].map((amount) => transferOf(amount)),
		transferOf('12.6 token'),
		['12500000', '12600000'].map((units) => [BOB.address, units]),
	],
])('a call is blocked in every form of %s', async (_what, first, same, other, sent) => {
	node.service.answer('cut');
	await expect(node.tool(first)).rejects.toThrow(/MAY have been sent/);
	for (const call of same) {
		await expect(node.tool(call)).rejects.toMatchObject({ context: { details: AGAIN } });
	}
	expect(await node.tool(other)).toMatchObject({ submitted: true });
	expect(node.service.writes.map(({ args }) => args)).toEqual(sent);
});

test('a resending, of unknown outcome or refused, hides no earlier sending from later calls', async () => {
	node.service.answer(pending(73), pending(74), { status: 400, body: 'bad nonce' });
	await expect(tool()).rejects.toThrow(hashOf(73));
	await expect(tool(RESEND)).rejects.toThrow(hashOf(74));
	await expect(run(RESEND)).rejects.toThrow('bad nonce');
	const details = { ...AGAIN, hashes: expect.arrayContaining([73, 74].map(hashOf)) };
	await expect(run()).rejects.toMatchObject({ context: { details } });
	expect(node.service.writes).toHaveLength(3);
});

const parameter = 'Options: Send Again';
const UNREADABLE = { code: 'invalid-input', outcome: 'refused', parameter };

test.each<[resend: unknown[], sent: string[], details: IDataObject | undefined]>([
	[[true, false], ['0'], AGAIN],
	[['true', 'true'], ['0', '1'], undefined],
	// `random-writes` tests other values that cannot be read.
	[[true, 'nein'], ['0'], UNREADABLE],
])('Send Again is read for each item: %j', async (resend, sent, details) => {
	const args = '={{ [String($itemIndex)] }}';
	node.service.answer('cut', 'cut');
	await node.run(write({ args }), { items: [{}, {}], node: CONTINUE });
	const again = write({ args, options: { sendAgain: '={{ $json.resend }}' } });
	const items = resend.map((one) => ({ resend: one }) as IDataObject);
	const [, second] = await node.items(again, { items, node: CONTINUE });
	expect(second?.details).toEqual(details && expect.objectContaining({ ...details, itemIndex: 1 }));
	expect(node.service.writes.slice(2).map(({ args: [first] }) => first)).toEqual(sent);
});
