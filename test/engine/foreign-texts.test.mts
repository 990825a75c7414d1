/** Whatever strangers write, the node's own texts contain nothing that n8n's forms, hints and errors interpret; data is exact. */
import type { IDataObject } from 'n8n-workflow';

import type { ScriptedAnswer } from './support/answers.mts';
import { failed, hashOf, json } from './support/answers.mts';
import { readUntil, storeCall } from './support/contract-calls.mts';
import { useCredentialTester } from './support/credential-tester.mts';
import { areInert, assertInert, ODD, ODD_ID, SYMBOL, textsOf } from './support/inert-texts.mts';
import { sendOf, transferOf } from './support/kinds-of-writes.mts';
import { BOB, CONTRACT, TOKEN } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);
const tester = useCredentialTester();

/** Runs the node, and asserts that no text of it contains markup. @returns the number of texts */
const textsWhen = async (parameters: IDataObject, settings: RunSettings = {}): Promise<number> =>
	assertInert(await node.run(parameters, settings), node.log.lines);

const PROFILE = { ...BOB, id: ODD_ID, username: ODD };
const TRANSFER = {
	hash: hashOf(7),
	said: {
		to: { username: ODD, platform: ODD, address: BOB.address },
		amount: {
			valueBn: { type: 'BigNumber', hex: '0x05' },
			decimals: 0,
			symbol: ODD,
			name: ODD,
			tokenAddress: TOKEN,
			network: ODD,
			chainId: 1,
		},
	},
};

beforeEach(() => {
	Object.assign(node.service.profiles, { [ODD_ID]: PROFILE, [BOB.id]: { ...BOB, username: ODD } });
	node.service.reports({ symbol: SYMBOL });
	node.service.looks = [[TRANSFER]];
	node.service.values = { '': [ODD], [BOB.address]: [ODD] };
});

const options = { maxTries: 1 };
const find = { resource: 'history', operation: 'find', options };
const preview = { preview: true, options };
const tuple = 'f() view returns ((string a, uint8 b) t)';
/** Calls whose texts contain a stranger's words. */
const CALLS = Object.entries<IDataObject>({
	'Token: Send, previewed': sendOf(preview),
	'Token: Send to an odd ID, previewed': sendOf({ recipient: ODD_ID, ...preview }),
	'Token: Send': sendOf({ options }),
	'Token: Send of too much': sendOf({ amount: '1000000000', options }),
	'Token: Send of another token': transferOf('1.5 OTHER'),
	'Token: Send of an unclear amount': transferOf('1.5'),
	'Contract: Write': transferOf('5 token', ODD_ID),
	'Contract: Write, previewed': { ...transferOf('5 token', ODD_ID), ...preview },
	'Contract: Write of text': storeCall(CONTRACT, { abi: 'f(string)', args: [ODD], options }),
	'History: Find Transfer': { ...find, transactionHash: hashOf(7) },
	'Contract: Read of another type': storeCall(CONTRACT, {
		operation: 'read',
		abi: tuple,
		args: undefined,
		options,
	}),
	'Contract: Read that waits': readUntil(
		'f() view returns (string)',
		{ condition: 'is', conditionValue: `${ODD}!`, seconds: 0, mustBeMet: true },
		options,
	),
});

describe('the words of strangers', () => {
	test.each(CALLS)('%s', async (_name, parameters) => {
		expect(await textsWhen(parameters)).toBeGreaterThan(0);
		expect(await textsWhen(parameters, { node: CONTINUE })).toBeGreaterThan(0);
	});

	test('user IDs from the previous step, and the user of the credential', async () => {
		const credential = node.service.credential({ userId: ODD_ID });
		for (const parameters of [sendOf(preview), sendOf({ amount: '1000000000', options })])
			expect(await textsWhen(parameters, { credential })).toBeGreaterThan(0);
	});

	test('an ID cannot pass for the address beside it', async () => {
		const id = 'CHESS-bob (0xd8dA…6045), your own wallet';
		node.service.profiles[id] = { ...BOB, id };
		const [item] = await node.items(sendOf({ recipient: id, ...preview }));
		expect(item?.summary).toMatch(
			/ to "CHESS-bob \(0xd8dA…6045\), your own wallet" \(0xb2b2…b2b2\)$/,
		);
	});

	test('data is exact', async () => {
		const [user] = await node.items({
			resource: 'user',
			operation: 'get',
			userId: ODD_ID,
			options,
		});
		expect(user).toMatchObject({ id: ODD_ID, username: ODD });
		const [transfer] = await node.items({ resource: 'history', operation: 'list', options });
		expect(transfer).toMatchObject({ symbol: ODD, who: ODD });
		const [sent] = await node.items(sendOf({ recipient: ODD_ID, ...preview }));
		expect(sent).toMatchObject({ recipient: ODD_ID, symbol: SYMBOL });
	});
});

const FAILURES: Record<string, ScriptedAnswer> = {
	'a failure': failed(ODD),
	'an unknown status': json({ status: ODD, hash: hashOf(5) }),
	'an error': json({ error: ODD }, 400),
	'an error within another': json({ error: { message: ODD } }, 403),
	'a message': json({ message: ODD }, 404),
	'an error as text': { status: 500, body: ODD },
	'a redirect': { status: 302, headers: { location: 'https://words.example/?<a>&`b`\\n' } },
	'broken JSON': { body: `{"${ODD}` },
	'another shape': json([ODD]),
	'another user': json({ id: ODD }),
};

describe.each<[string, IDataObject]>([
	['User: Get', { resource: 'user', operation: 'get', userId: ODD_ID, options }],
	['Balance: Get Native', { resource: 'balance', operation: 'native', userId: ODD_ID, options }],
	['History: Get Many', { resource: 'history', operation: 'list', userId: ODD_ID, options }],
	[
		'Contract: Read',
		storeCall(CONTRACT, { operation: 'read', abi: 'f() view', args: '', options }),
	],
	['Contract: Write', storeCall(CONTRACT, { options: { ...options, sendAgain: true } })],
	['Token: Send', sendOf({ options: { ...options, sendAgain: true } })],
])('the failures of %s', (_name, parameters) => {
	test.each(Object.entries(FAILURES))('%s', async (_kind, answer) => {
		node.service.script = () => answer;
		for (const settings of [{}, CONTINUE])
			expect(await textsWhen(parameters, { node: settings })).toBeGreaterThan(0);
	});
});

test('a wallet that the trigger skips', async () => {
	node.service.script = ({ path }) =>
		path.includes(BOB.id)
			? json({ ETH: { balance: '1', decimals: 0 } })
			: json({ error: ODD }, 400);
	const watched = { event: 'balanceChanged', asset: 'native', userIds: [ODD_ID, BOB.id] };
	await poller(watched, { activation: 'init', nodeName: ODD }).poll();
	expect(node.log.lines).toHaveLength(1);
	areInert(node.log.lines);
});

test('the test of a credential', async () => {
	for (const status of [200, 404]) {
		node.service.script = ({ authorization }) => json({}, authorization === '' ? 401 : status);
		const { message } = await tester.test(node.service.credential({ userId: ODD_ID }));
		expect(message).toContain('CHESS-Rahul');
		areInert([message]);
	}
});

test('a link in the error of a run that stops', async () => {
	const sent = { status: 'SUCCESS', hash: hashOf(1), explorerUrl: 'https://x.example/<b>&`\\n' };
	node.service.answer(json(sent), failed(ODD));
	const result = await node.run(sendOf({ options }), { items: [{}, {}] });
	expect(textsOf(result.error).join()).toContain(hashOf(1));
	assertInert(result, node.log.lines);
});
