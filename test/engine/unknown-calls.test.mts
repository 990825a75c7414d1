/** A call of unknown outcome is blocked for the same credential, wherever it is repeated, until somebody lifts the block. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { done, hashOf, pending } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { NODE, startNode, walletServiceNode } from './support/engine.mts';
import type { Caller } from './support/ephemeral-calls.mts';
import { TOKEN } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, RETRY, useNode } from './support/use-node.mts';
import { inRow } from './support/workflow-parts.mts';
import { UNKNOWN_CALL_MINUTES } from '../../nodes/WalletService/writes/memory/process-memory.ts';

const node = useNode();

const RESEND = { options: { resendWhenUnknown: true } };
const LIFTS_IT = 'Resend When Unknown';

const write = (changes: IDataObject = {}) => storeCall(TOKEN, changes);

/** The result of a node or a tool: its item, or its error. */
type Came = Promise<IDataObject>;

const run = async (changes: IDataObject = {}, settings: RunSettings = {}): Came => {
	const { items, error } = await node.run(write(changes), settings);
	// n8n keeps errors as plain objects.
	if (error !== undefined)
		throw Object.assign(new Error(error.message), { context: error.context });
	return items[0]?.json ?? {};
};

/** The same call by a tool, without an execution. */
const tool = async (changes: IDataObject = {}, caller: Caller = {}): Came =>
	await node.tool(write(changes), {}, caller);

const ROUTES = { node: async () => await run(), tool: async () => await tool() };

describe.each(Object.entries(ROUTES))('a call that a %s left unknown', (_name, loseOne) => {
	test.each<[string, (changes?: IDataObject) => Came]>([
		['another execution', run],
		[
			'the same call written in another way',
			async (changes) => await run({ contractAddress: TOKEN.toLowerCase(), ...changes }),
		],
		['a node that n8n runs again', async (changes) => await run(changes, { node: RETRY })],
		['a tool', tool],
		['a tool of another workflow', async (changes) => await tool(changes, { workflowId: 'w2' })],
		['a tool of another name', async (changes) => await tool(changes, { node: 'Other' })],
	])('is refused to %s, with hash, time and way out, until it is lifted', async (_who, again) => {
		node.service.answer(pending(7));
		await expect(loseOne()).rejects.toThrow(hashOf(7));
		const refusal = again();
		const details = { code: 'not-sent-again', outcome: 'unknown', hashes: [hashOf(7)] };
		await expect(refusal).rejects.toMatchObject({ context: { details } });
		const words = ['Not sent again', hashOf(7), `${UNKNOWN_CALL_MINUTES} minutes`, LIFTS_IT];
		for (const word of words) await expect(refusal).rejects.toThrow(word);
		expect(node.service.writes).toHaveLength(1);
		expect(await again(RESEND)).toMatchObject({ submitted: true, earlierHashes: [hashOf(7)] });
		// The outcome is known, so each repetition is a new write.
		expect(await again()).toMatchObject({ submitted: true, hash: hashOf(3) });
		expect(node.service.writes).toHaveLength(3);
	});

	test('is not refused to another credential, and no other call is', async () => {
		node.service.answer('cut');
		await expect(loseOne()).rejects.toThrow(/MAY have been sent/);
		expect(await tool({}, { credentialId: '9' })).toMatchObject({ submitted: true });
		expect(await run({ args: '["2"]' })).toMatchObject({ submitted: true });
		await expect(run()).rejects.toThrow('Not sent again');
	});
});

test('a second node of the execution is refused what the first one left unknown', async () => {
	const second = 'Second Wallet Service';
	node.service.answer('cut');
	const { data } = await node.engine.runWorkflow(
		[
			startNode(),
			walletServiceNode(write(), CONTINUE),
			walletServiceNode(write(), { name: second }),
		],
		inRow('Start', NODE, second),
		node.service.credential(),
		[{}],
	);
	expect(data.resultData.error?.message).toContain('Not sent again');
	expect(node.service.writes).toHaveLength(1);
});

test('a resending of unknown outcome does not hide the first one from the calls behind', async () => {
	node.service.answer(pending(73), pending(74));
	await expect(tool()).rejects.toThrow(hashOf(73));
	await expect(tool(RESEND)).rejects.toThrow(hashOf(74));
	const refused = run();
	await expect(refused).rejects.toThrow(hashOf(73));
	await expect(refused).rejects.toThrow(hashOf(74));
});

test('a resending that is refused leaves the call blocked', async () => {
	node.service.answer(pending(7), { status: 400, body: 'bad nonce' });
	await expect(run()).rejects.toThrow(hashOf(7));
	await expect(run(RESEND)).rejects.toThrow('bad nonce');
	await expect(run()).rejects.toThrow('Not sent again');
	expect(node.service.writes).toHaveLength(2);
});

describe('Resend When Unknown is read for each item', () => {
	const options = { resendWhenUnknown: '={{ $json.resend }}' };
	const runItems = async (items: IDataObject[], parameters: INodeParameters = { options }) =>
		await node.run(write({ args: '={{ [String($itemIndex)] }}', ...parameters }), {
			...{ node: RETRY, items },
		});

	test('an item that may not be sent again is not, whatever the first one says', async () => {
		node.service.answer(done(1), 'cut');
		const { error } = await runItems([{ resend: true }, { resend: false }]);
		expect(error?.message).toContain('Not sent again');
		expect(node.service.writes.map(({ args }) => args)).toEqual([['0'], ['1']]);
	});

	test('an item that may be sent again is, whatever the first one says', async () => {
		node.service.answer(done(1), 'cut');
		const { error } = await runItems([{ resend: 'false' }, { resend: 'true' }]);
		expect(error).toBeUndefined();
		expect(node.service.writes.map(({ args }) => args)).toEqual([['0'], ['1'], ['1']]);
	});

	test.each([['nein'], [1], [null], ['']])('%j of a second item is refused', async (resend) => {
		const { error } = await runItems([{ resend: false }, { resend }]);
		expect(error?.message).toContain('Resend When Unknown');
		expect(error).toMatchObject({
			context: { details: { itemIndex: 1, outcome: 'refused', code: 'invalid-input' } },
		});
		expect(node.service.writes.map(({ args }) => args)).toEqual([['0']]);
	});

	test.each([['nein'], [null], [0]])('%j as stored is refused', async (resendWhenUnknown) => {
		const { error } = await runItems([{}], { options: { resendWhenUnknown } } as INodeParameters);
		expect(error?.message).toContain('Resend When Unknown');
		expect(node.service.writes).toEqual([]);
	});
});
