/** A call of unknown outcome is blocked wherever it comes from next, with the same credential, until somebody lifts it. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { hashOf } from './support/answering-service.mts';
import { NODE, startNode, walletServiceNode } from './support/engine.mts';
import { EphemeralCalls } from './support/ephemeral-calls.mts';
import { CONTRACT, Writing } from './support/writing.mts';
import { UNKNOWN_CALL_MINUTES } from '../../nodes/WalletService/writes/memory/memory.ts';

const writing = Writing.prepare();
let calls: EphemeralCalls;
beforeAll(async () => (calls = await EphemeralCalls.create()));

const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };
const RESEND = { options: { resendWhenUnknown: true } };

const pending = (number: number) => ({ body: { status: 'PENDING', hash: hashOf(number) } });

const LIFTS_IT = 'Resend When Unknown';

/** What comes out of a node or a tool: its item, or what it failed with. */
type Came = Promise<IDataObject>;

const node = async (changes: IDataObject = {}, settings: Partial<INode> = {}): Came => {
	const { items, error } = await writing.run(changes, settings);
	// n8n keeps errors as plain objects.
	if (error !== undefined)
		throw Object.assign(new Error(error.message), { context: error.context });
	return items[0]?.json ?? {};
};

/** The same call by a tool, without an execution. */
const tool = async (
	changes: IDataObject = {},
	caller: { workflowId?: string; node?: string; credentialId?: string } = {},
): Came => {
	const policy = {
		...{ allowWrites: true, allowedContracts: '', allowedFunctions: '' },
		...{ maxValuePerCall: '', maxValuePerExecution: '', allowInsecureHttp: false },
	};
	const [item] = await calls.call(
		'n8n-nodes-wallet-service.walletServiceTool',
		writing.parameters(changes),
		{ ...writing.credential(), ...policy },
		{},
		caller,
	);
	return item?.json ?? {};
};

const ROUTES = { node: async () => await node(), tool: async () => await tool() };

describe.each(Object.entries(ROUTES))('a call that a %s left unknown', (_name, loseOne) => {
	test.each<[string, (changes?: IDataObject) => Came]>([
		['another execution', node],
		[
			'the same call written in another way',
			async (changes) => await node({ contractAddress: CONTRACT.toLowerCase(), ...changes }),
		],
		['a node that n8n runs again', async (changes) => await node(changes, RETRY)],
		['a tool', tool],
		['a tool of another workflow', async (changes) => await tool(changes, { workflowId: 'w2' })],
		['a tool of another name', async (changes) => await tool(changes, { node: 'Other' })],
	])('is refused to %s, with hash, time and way out, until it is lifted', async (_who, again) => {
		writing.service.answer(pending(7));
		await expect(loseOne()).rejects.toThrow(hashOf(7));
		const refusal = again();
		const details = { code: 'not-sent-again', outcome: 'unknown', hashes: [hashOf(7)] };
		await expect(refusal).rejects.toMatchObject({ context: { details } });
		const words = ['Not sent again', hashOf(7), `${UNKNOWN_CALL_MINUTES} minutes`, LIFTS_IT];
		for (const word of words) await expect(refusal).rejects.toThrow(word);
		expect(writing.service.writes).toHaveLength(1);
		expect(await again(RESEND)).toMatchObject({ submitted: true, earlierHashes: [hashOf(7)] });
		// Answered, and so a new write each time.
		expect(await again()).toMatchObject({ submitted: true, hash: hashOf(3) });
		expect(writing.service.writes).toHaveLength(3);
	});

	test('is not refused to another credential, and no other call is', async () => {
		writing.service.answer('cut');
		await expect(loseOne()).rejects.toThrow(/MAY have been sent/);
		expect(await tool({}, { credentialId: '9' })).toMatchObject({ submitted: true });
		expect(await node({ args: '["2"]' })).toMatchObject({ submitted: true });
		await expect(node()).rejects.toThrow('Not sent again');
	});
});

test('the second of two equal items is refused after a first one of unknown outcome, and is sent after an answered one', async () => {
	const items = [{}, {}, {}];
	writing.service.answer({ body: { status: 'SUCCESS', hash: hashOf(1) } }, pending(7));
	const { items: output } = await writing.run({}, CONTINUE, { items });
	expect(output.map(({ json }) => json)).toMatchObject([
		{ submitted: true },
		{ details: { outcome: 'unknown', hashes: [hashOf(7)] } },
		{ details: { outcome: 'unknown', code: 'not-sent-again', hashes: [hashOf(7)] } },
	]);
	expect(writing.service.writes).toHaveLength(2);
});

test('a second node of the execution is refused what the first one left unknown', async () => {
	const second = 'Second Wallet Service';
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	writing.service.answer('cut');
	const run = await writing.engine.runWorkflow(
		[
			startNode(),
			walletServiceNode(writing.parameters(), CONTINUE),
			walletServiceNode(writing.parameters(), { name: second }),
		],
		{ Start: to(NODE), [NODE]: to(second) },
		writing.credential(),
		[{}],
	);
	expect(run.data.resultData.error?.message).toContain('Not sent again');
	expect(writing.service.writes).toHaveLength(1);
});

test('a resending of unknown outcome does not hide the first one from the calls behind', async () => {
	writing.service.answer(pending(73), pending(74));
	await expect(tool()).rejects.toThrow(hashOf(73));
	await expect(tool(RESEND)).rejects.toThrow(hashOf(74));
	const refused = node();
	await expect(refused).rejects.toThrow(hashOf(73));
	await expect(refused).rejects.toThrow(hashOf(74));
});

test('a resending that is refused leaves the call blocked', async () => {
	writing.service.answer(pending(7), { status: 400, body: 'bad nonce' });
	await expect(node()).rejects.toThrow(hashOf(7));
	await expect(node(RESEND)).rejects.toThrow('bad nonce');
	await expect(node()).rejects.toThrow('Not sent again');
	expect(writing.service.writes).toHaveLength(2);
});

describe('Resend When Unknown is read for each item', () => {
	const options = { resendWhenUnknown: '={{ $json.resend }}' };
	const run = async (items: IDataObject[], parameters: INodeParameters = { options }) =>
		await writing.run({ args: '={{ [String($itemIndex)] }}', ...parameters }, RETRY, { items });

	test('an item that may not be sent again is not, whatever the first one says', async () => {
		writing.service.answer({ body: { status: 'SUCCESS', hash: hashOf(1) } }, 'cut');
		const { error } = await run([{ resend: true }, { resend: false }]);
		expect(error?.message).toContain('Not sent again');
		expect(writing.service.writes.map(({ args }) => args)).toEqual([['0'], ['1']]);
	});

	test('an item that may be sent again is, whatever the first one says', async () => {
		writing.service.answer({ body: { status: 'SUCCESS', hash: hashOf(1) } }, 'cut');
		const { error } = await run([{ resend: 'false' }, { resend: 'true' }]);
		expect(error).toBeUndefined();
		expect(writing.service.writes.map(({ args }) => args)).toEqual([['0'], ['1'], ['1']]);
	});

	test.each([['nein'], [1], [null], ['']])('%j of a second item is refused', async (resend) => {
		const { error } = await run([{ resend: false }, { resend }]);
		expect(error?.message).toContain('Resend When Unknown');
		expect(error).toMatchObject({
			context: { details: { itemIndex: 1, outcome: 'refused', code: 'invalid-input' } },
		});
		expect(writing.service.writes.map(({ args }) => args)).toEqual([['0']]);
	});

	test.each([['nein'], [null], [0]])('%j as stored is refused', async (resendWhenUnknown) => {
		const { error } = await run([{}], { options: { resendWhenUnknown } } as INodeParameters);
		expect(error?.message).toContain('Resend When Unknown');
		expect(writing.service.writes).toEqual([]);
	});
});
