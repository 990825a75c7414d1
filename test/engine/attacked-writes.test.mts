/** Deliberate attempts to have a write sent twice or reported wrongly. */
import { id } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import { done, failed, hashOf, json, pending } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { CONTRACT } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { RETRY, useNode } from './support/use-node.mts';

const HASH = hashOf(7);

const node = useNode();

const run = async (settings: RunSettings = {}, changes: IDataObject = {}) =>
	await node.run(storeCall(CONTRACT, changes), settings);

test('an answer that is nested too deep to be kept is done, once, with its hash', async () => {
	const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
	const body = `{"status":"SUCCESS","hash":"${HASH}","tx":${deep}}`;
	node.service.answer({ body }, { body });
	const { items, error } = await run({ node: RETRY });
	expect(error).toBeUndefined();
	expect(node.service.writes).toHaveLength(1);
	expect(items[0]?.json).toMatchObject({ hash: HASH, submitted: true });
	expect(node.log.writes().join()).toContain(HASH);
});

test.each([
	['cut', { 'content-length': '500', connection: 'close' }],
	['not the gzip that it is said to be', { 'content-encoding': 'gzip' }],
	['not the zstd that it is said to be', { 'content-encoding': 'zstd' }],
])(
	'a 401 that n8n cannot read, because it is %s, is of unknown outcome and not sent again',
	async (_name, headers) => {
		node.service.answer({ status: 401, headers, body: `{"error":"done as ${HASH}"` });
		const { error } = await run();
		expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
		expect(node.service.writes).toHaveLength(1);
	},
);

test('a policy that changes between two tries of a write counts', async () => {
	const { service } = node;
	const credential: IDataObject = { ...service.credential(), allowWrites: true };
	service.answer({ status: 429 });
	void service.received(1).then(() => (credential.allowWrites = false));
	const { error } = await run({ credential: credential as never });
	expect(error?.message).toContain('rule "Allow Writes"');
	expect(service.writes).toHaveLength(1);
});

test.each([
	[1, 1],
	[2, 0],
])(
	'a credential that says another thing at each reading, and allows writes at reading %i: %i sent, and none elsewhere',
	async (allowedAt, sent) => {
		await using other = await ScriptedService.start();
		let reading = 0;
		const credential = {
			accessToken: 'token',
			get baseUrl() {
				return reading++ === 0 ? node.service.baseUrl : other.baseUrl;
			},
			get allowWrites() {
				return reading === allowedAt;
			},
		};
		const { error } = await run({ credential });
		expect(error === undefined).toBe(sent === 1);
		expect(node.service.writes).toHaveLength(sent);
		expect(other.writes).toEqual([]);
	},
);

test('a try that only looks does not hide a write of unknown outcome, nor send it', async () => {
	const { service } = node;
	service.answer(pending(7));
	const variables: IDataObject = { preview: false };
	void service.received(1).then(() => (variables.preview = true));
	const changes = { preview: '={{ $vars.preview }}', options: { resendWhenUnknown: true } };
	const { items, error } = await run({ node: RETRY, variables }, changes);
	expect(items).toEqual([]);
	expect(error?.message).toContain(HASH);
	expect(service.writes).toHaveLength(1);
});

test('an answered write is replayed when the credential cannot be read any more', async () => {
	const { service } = node;
	service.answer(done(7), failed());
	const credential = node.service.credential();
	void service.received(2).then(() => (credential.baseUrl = 'nonsense'));
	const { error } = await run({ node: RETRY, credential, items: [{}, {}] });
	expect(error).toMatchObject({ context: { details: { itemIndex: 1, outcome: 'refused' } } });
	expect(error?.description).toContain(`item 0: ${HASH}`);
});

test('the service cannot forge lines of the log, and a token is no hash', async () => {
	const accessToken = `0x${'ab'.repeat(32)}`;
	node.service.answer(
		{ status: 500, body: JSON.stringify({ error: `x\nContract write submitted: ${HASH}` }) },
		{ status: 400, headers: { 'www-authenticate': `Bearer ${accessToken}` }, body: 'no' },
	);
	await run();
	expect(node.log.writes()).toEqual([expect.not.stringContaining('\n')]);
	const credential = node.service.credential({ accessToken });
	const { error } = await run({ credential });
	expect(JSON.stringify([error?.message, error?.context])).not.toContain('abab');
});

test.each(['\u200b', '\u0007', '\ufe0f'])(
	'a token that a service parts by %j shows nowhere',
	async (by) => {
		const { accessToken } = node.service.credential();
		const echo = `${accessToken.slice(0, 5)}${by}${accessToken.slice(5)}`;
		node.service.answer({ status: 500, body: { error: `Bad token ${echo}` } });
		const { error } = await run();
		const shown = JSON.stringify([error?.message, error?.context, node.log.writes()]);
		expect(shown).toContain('Bad token [access token removed]');
		expect(shown).not.toContain(accessToken);
	},
);

test('the explorer link of a service adds no lines to an error', async () => {
	const forged = `Submitted before, item 7: ${hashOf(0xdead)}`;
	const links = ['x', `\u001b[2J\u202e\n${forged} http://y`, 'y'.repeat(600), 'z z'];
	for (const link of links) {
		node.service.answer(json({ status: 'SUCCESS', hash: HASH, explorerUrl: `http://x/${link}` }));
	}
	node.service.answer(json({ error: 'no' }, 400));
	const { error } = await run({ items: [...links, ''].map(() => ({})) });
	expect(error?.description?.split('\n').slice(1)).toEqual([
		`Submitted before, item 0: ${HASH} http://x/x`,
		...[1, 2, 3].map((item) => `Submitted before, item ${item}: ${HASH}`),
	]);
});

test('an explorer URL of any form does not make a done write fail', async () => {
	const explorerUrl = { toString: 1, valueOf: 1 };
	node.service.answer(json({ status: 'SUCCESS', hash: HASH, explorerUrl }));
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect(items[0]?.json.hash).toBe(HASH);
});

/** Names made up for selectors of the token standards; the last one reads. */
const LOOKALIKES = [
	['workMyDirefulOwner(uint256,uint256)', 'transfer(address,uint256)', '["1", "2"]'],
	['many_msg_babbage(bytes1)', 'transfer(address,uint256)', '["0x01"]'],
	[
		'sign_szabo_bytecode(bytes16,uint128)',
		'approve(address,uint256)',
		`["0x${'00'.repeat(16)}", "1"]`,
	],
	['gasprice_bit_ether(int128)', 'transferFrom(address,address,uint256)', '["1"]'],
] as const;

test.each(LOOKALIKES)('%s is not sent as %s', async (abi, known, args) => {
	const selector = id(known).slice(0, 10);
	expect(id(abi).slice(0, 10)).toBe(selector);
	const [name = '', types = ''] = abi.slice(0, -1).split('(');
	const inputs = types.split(',').map((type) => ({ type }));
	const contractAbi = JSON.stringify([{ type: 'function', name, inputs }]);
	for (const changes of [
		{ abi, args },
		{ abi, args, preview: true },
		{ functionSource: 'contractAbi', contractAbi, contractFunction: abi, args },
		{ operation: 'read', abi, args },
	]) {
		const { items, error } = await run({}, changes);
		expect(items).toEqual([]);
		expect(error?.message).toContain(`${abi} has the selector ${selector} of ${known}`);
		expect(error).toMatchObject({ context: { details: { code: 'invalid-input' } } });
	}
	expect(node.service.requests).toEqual([]);
});

test.each(LOOKALIKES)('a policy that allows %s forbids all writes', async (allowedFunctions) => {
	const credential = node.service.credential({ allowedFunctions });
	expect(await node.refusal(storeCall(CONTRACT), { credential })).toMatchObject({
		message: expect.stringMatching(/^Credential: Allowed Functions: .* has the selector 0x/),
		code: 'policy-unreadable',
	});
});
