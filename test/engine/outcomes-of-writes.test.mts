/** The outcome and hashes of a write for every kind of answer, and attempts to get it sent twice or misreported. */
import { id } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import type { Answer } from './support/answers.mts';
import { done, failed, hashOf, json, pending } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { CONTRACT } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, RETRY, useNode } from './support/use-node.mts';

const HASH = hashOf(7);
/** Words of 32 bytes that services put where there is no transaction. */
const [NO_HASH, ALL_ONES] = [hashOf(0), `0x${'F'.repeat(64)}`];
const node = useNode();

const run = async (settings: RunSettings = {}, changes: IDataObject = {}) =>
	await node.run(storeCall(CONTRACT, changes), settings);

const to = (location: string, status: number): Answer => ({ status, headers: { location } });

type Case = [answer: Answer, outcome: string, code?: string, hash?: string];

const CASES: Case[] = [
	[json({ status: 'success', hash: HASH }), 'done', undefined, HASH],
	[pending(7), 'unknown', 'not-confirmed', HASH],
	[json({ status: 'SUBMITTED' }), 'unknown', 'not-confirmed'],
	[json({ status: 'FAILED', transactionHash: HASH }), 'unknown', 'service-failed', HASH],
	[json({ status: 'failed', error: 'no gas' }), 'refused', 'service-failed'],
	[json({ status: 'SUCCESS', hash: '' }), 'unknown', 'unreadable-answer'],
	...[NO_HASH, ALL_ONES].flatMap((hash): Case[] => [
		[json({ status: 'SUCCESS', hash }), 'unknown', 'unreadable-answer'],
		[json({ status: 'FAILED', hash }), 'refused', 'service-failed'],
	]),
	[json({ status: 'SUCCESS', tx: { hash: HASH } }), 'unknown', 'unreadable-answer', HASH],
	[json({ error: { data: { hash: HASH } } }, 400), 'unknown', 'bad-request', HASH],
	[json({ error: 'no' }, 400), 'refused', 'bad-request'],
	[{ status: 401 }, 'refused', 'unauthorized'],
	[{ status: 408 }, 'unknown', 'timeout'],
	[{ status: 409 }, 'unknown', 'unexpected-status'],
	[{ status: 425 }, 'unknown', 'unexpected-status'],
	[{ status: 500, body: `sent ${HASH}, then crashed` }, 'unknown', 'service-error', HASH],
	[{ status: 300 }, 'unknown', 'redirected'],
	[to(`/tx/${HASH}`, 302), 'unknown', 'redirected', HASH],
	[to('/queue', 303), 'unknown', 'redirected'],
	[to(`/tx/${HASH}`, 307), 'refused', 'redirected', HASH],
	[{ status: 308 }, 'refused', 'redirected'],
	[{ body: '' }, 'unknown', 'unreadable-answer'],
	[{ body: `{"status":"SUCCESS","hash":"${HASH}` }, 'unknown', 'unreadable-answer', HASH],
	['cut', 'unknown', 'connection-lost'],
];

// Rows may be shorter than a parameter list; jest would then pass a callback, hence the rest parameter.
test.each(CASES)('%j', async (...[answer, outcome, code, hash]: Case) => {
	const { service, log } = node;
	service.answer(answer);
	const { items } = await run({ node: CONTINUE });
	expect(service.writes).toHaveLength(1);
	const output = items[0]?.json ?? {};
	const lines = log.writes();
	if (outcome === 'done') {
		expect(output).toMatchObject({ submitted: true, hash });
		expect(lines).toEqual([expect.stringContaining(`submitted: ${hash}`)]);
		return;
	}
	const details = { outcome, code, itemIndex: 0, hint: expect.any(String) };
	expect(output).toMatchObject({ error: expect.any(String), details });
	expect((output.details as IDataObject).hashes).toEqual(hash && [hash]);
	expect(String(output.error).includes('MAY have been sent')).toBe(outcome === 'unknown');
	expect(output.error).toContain(hash ?? '');
	expect(lines).toHaveLength(outcome === 'unknown' || hash !== undefined ? 1 : 0);
	expect(lines.join()).toContain(hash ?? '');
});

describe('the hash in a 429, after which a write is sent again, is kept', () => {
	const limited = (hash: string): Answer => ({
		status: 429,
		headers: { location: `/tx/${hash}`, 'retry-after': '0' },
	});

	test('if the next attempt succeeds', async () => {
		node.service.answer(limited(HASH));
		const { items } = await run();
		expect(items[0]?.json.hash).toBe(hashOf(2));
		expect(node.log.writes()).toEqual([
			expect.stringContaining(`submitted: ${hashOf(2)} (refused before: ${HASH}), item 0`),
		]);
	});

	test('if the next attempt is refused', async () => {
		node.service.answer(limited(HASH), limited(hashOf(8)), json({ error: 'no' }, 400));
		const { error } = await run();
		expect(error?.message).toContain(`reported transaction ${HASH}, ${hashOf(8)}`);
		const details = { outcome: 'refused', hashes: [HASH, hashOf(8)] };
		expect(error).toMatchObject({ context: { details } });
	});
});

test('an error names each transaction of the answer, if any', async () => {
	const both = { status: 'PENDING', hash: HASH, tx: { hash: hashOf(8) } };
	node.service.answer(json(both), json({ status: 'PENDING' }));
	const words = `; the answer contains transaction ${HASH}, ${hashOf(8)}`;
	expect((await run()).error?.message).toContain(words);
	const { error } = await run({}, { args: '["2"]' });
	expect(error?.message).toContain('with the status "PENDING"');
	expect(error?.message).not.toContain('contains transaction');
});

test.each([101, 20_000])(
	'a write whose answer has %i levels is sent once, and has its hash',
	async (levels) => {
		const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
		const body = `{"status":"SUCCESS","hash":"${HASH}","tx":${deep}}`;
		node.service.answer({ body }, { body });
		const items = await node.items(storeCall(CONTRACT), { node: RETRY });
		expect(node.service.writes).toHaveLength(1);
		expect(items).toMatchObject([{ hash: HASH, submitted: true }]);
		expect(JSON.stringify(items)).not.toContain('[[');
		expect(node.log.writes().join()).toContain(HASH);
	},
);

test.each([
	['cut', { 'content-length': '500', connection: 'close' }],
	['not gzip as declared', { 'content-encoding': 'gzip' }],
	['not zstd as declared', { 'content-encoding': 'zstd' }],
])('a 401 that n8n cannot read (%s) is unknown, and not sent again', async (_name, headers) => {
	node.service.answer({ status: 401, headers, body: `{"error":"done as ${HASH}"` });
	const { error } = await run();
	expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
	expect(node.service.writes).toHaveLength(1);
});

test('an attempt that is only a preview neither hides a write of unknown outcome nor sends it', async () => {
	const { service } = node;
	service.answer(pending(7));
	const variables: IDataObject = { preview: false };
	void service.received(1).then(() => (variables.preview = true));
	const changes = { preview: '={{ $vars.preview }}', options: { sendAgain: true } };
	const { items, error } = await run({ node: RETRY, variables }, changes);
	expect(items).toEqual([]);
	expect(error?.message).toContain(HASH);
	expect(service.writes).toHaveLength(1);
});

test('an answered write is replayed although the credential has become unreadable', async () => {
	const { service } = node;
	service.answer(done(7), failed());
	const credential = node.service.credential();
	void service.received(2).then(() => (credential.baseUrl = 'nonsense'));
	const { error } = await run({ node: RETRY, credential, items: [{}, {}] });
	expect(error).toMatchObject({ context: { details: { itemIndex: 1, outcome: 'refused' } } });
	expect(error?.description).toContain(`row 1: ${HASH}`);
});

test('a token in a header is not taken for a hash', async () => {
	const accessToken = `0x${'ab'.repeat(32)}`;
	const headers = { 'www-authenticate': `Bearer ${accessToken}` };
	node.service.answer({ status: 400, headers, body: 'no' });
	const { error } = await run({ credential: node.service.credential({ accessToken }) });
	expect(JSON.stringify([error?.message, error?.context])).not.toContain('abab');
});

test('the explorer link of a service adds no line to an error', async () => {
	const forged = `Submitted before, item 7: ${hashOf(0xdead)}`;
	const links = ['x', `\u001b[2J\u202e\n${forged} http://y`, 'y'.repeat(600), 'z z'];
	for (const link of links) {
		node.service.answer(json({ status: 'SUCCESS', hash: HASH, explorerUrl: `http://x/${link}` }));
	}
	node.service.answer(json({ error: 'no' }, 400));
	const { error } = await run({ items: [...links, ''].map(() => ({})) });
	expect(error?.description?.split('<br>\n').slice(1)).toEqual([
		`Submitted before, row 1: ${HASH} http://x/x`,
		...[2, 3, 4].map((row) => `Submitted before, row ${row}: ${HASH}`),
	]);
});

test('an explorer URL of any type does not make a submitted write fail', async () => {
	const explorerUrl = { toString: 1, valueOf: 1 };
	node.service.answer(json({ status: 'SUCCESS', hash: HASH, explorerUrl }));
	expect(await node.items(storeCall(CONTRACT))).toMatchObject([{ hash: HASH }]);
});

const ZEROS = '00'.repeat(16);
/** Names crafted to have the same selectors as functions of the token standards. */
const LOOKALIKES = [
	['workMyDirefulOwner(uint256,uint256)', 'transfer(address,uint256)', '["1", "2"]'],
	['many_msg_babbage(bytes1)', 'transfer(address,uint256)', '["0x01"]'],
	['sign_szabo_bytecode(bytes16,uint128)', 'approve(address,uint256)', `["0x${ZEROS}", "1"]`],
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
