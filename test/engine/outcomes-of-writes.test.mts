/** Reports of writes for every kind of answer: done, refused or unknown, and every transaction hash. */
import type { IDataObject } from 'n8n-workflow';

import type { Answer, ScriptedAnswer } from './support/answers.mts';
import { hashOf, json, pending } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { CONTRACT } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const HASH = hashOf(7);
const node = useNode();

const run = async (settings: RunSettings['node'] = {}, changes: IDataObject = {}) =>
	await node.run(storeCall(CONTRACT, changes), { node: settings });

const to = (location: string, status: number): ScriptedAnswer => ({
	status,
	headers: { location },
});

type Case = [answer: Answer, outcome: string, code?: string, hash?: string];

const CASES: Case[] = [
	[json({ status: 'success', hash: HASH }), 'done', undefined, HASH],
	[pending(7), 'unknown', 'not-confirmed', HASH],
	[json({ status: 'SUBMITTED' }), 'unknown', 'not-confirmed'],
	[json({ status: 'FAILED', transactionHash: HASH }), 'unknown', 'service-failed', HASH],
	[json({ status: 'failed', error: 'no gas' }), 'refused', 'service-failed'],
	[json({ status: 'SUCCESS', hash: '' }), 'unknown', 'unreadable-answer'],
	[json({ status: 'SUCCESS', tx: { hash: HASH } }), 'unknown', 'unreadable-answer', HASH],
	[json({ error: { data: { hash: HASH } } }, 400), 'unknown', 'bad-request', HASH],
	[json({ error: 'no' }, 400), 'refused', 'bad-request'],
	[{ status: 401 }, 'refused', 'unauthorized'],
	[{ status: 408 }, 'unknown', 'timeout'],
	[{ status: 409 }, 'unknown', 'unexpected-status'],
	[{ status: 425 }, 'unknown', 'unexpected-status'],
	[{ status: 500, body: `sent ${HASH}, then crashed` }, 'unknown', 'service-error', HASH],
	[to(`/tx/${HASH}`, 302), 'unknown', 'redirected', HASH],
	[to('/queue', 303), 'unknown', 'redirected'],
	[to(`/tx/${HASH}`, 307), 'refused', 'redirected', HASH],
	[{ status: 308 }, 'refused', 'redirected'],
	[{ body: '' }, 'unknown', 'unreadable-answer'],
	[{ body: `{"status":"SUCCESS","hash":"${HASH}` }, 'unknown', 'unreadable-answer', HASH],
	['cut', 'unknown', 'connection-lost'],
];

// Rows may be shorter than the parameter list; jest would then pass a callback.
test.each(CASES)('%j', async (...[answer, outcome, code, hash]: Case) => {
	const { service, log } = node;
	service.answer(answer);
	const { items } = await run(CONTINUE);
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

test('a hint explains n8n’s empty item beside the error output', async () => {
	node.service.answer({ status: 400 });
	const settings = { onError: 'continueErrorOutput', alwaysOutputData: true } as const;
	const { items, errorItems, run: whole } = await run(settings);
	expect([items.map(({ json }) => json), errorItems.length]).toEqual([[{}], 1]);
	const hintsOf = ({ data }: typeof whole) =>
		data.resultData.runData['Wallet Service']?.[0]?.hints?.map(({ message }) => message);
	expect(hintsOf(whole)).toEqual([expect.stringContaining('Always Output Data')]);
	expect(hintsOf((await run(settings)).run)).toEqual([expect.stringMatching(/^Sent\. Pin /)]);
});

test('a refused write does not count towards the budget, an unknown one does', async () => {
	node.service.answer({ status: 400 }, 'cut', pending(7));
	const nativeCoin = '={{ 40 - $itemIndex }} wei';
	const { items } = await node.run(
		storeCall(CONTRACT, { abi: 'pay() payable', args: '[]', options: { nativeCoin } }),
		{
			node: CONTINUE,
			credential: node.service.credential({ maxValuePerExecution: '100 wei' }),
			items: [{}, {}, {}, {}],
		},
	);
	expect(node.service.writes).toHaveLength(3);
	expect(items.map(({ json }) => json.details)).toMatchObject([
		{ outcome: 'refused', code: 'bad-request' },
		{ outcome: 'unknown', code: 'connection-lost' },
		{ outcome: 'unknown', code: 'not-confirmed' },
		{ outcome: 'refused', code: 'policy-refused' },
	]);
});

test('a write whose user cannot be looked up is refused', async () => {
	node.service.profiles['DISCORD-1'] = {};
	const asked = { abi: 'grant(address to)', args: '["DISCORD-1"]' };
	const { items } = await run(CONTINUE, asked);
	expect(items[0]?.json.details).toMatchObject({ outcome: 'refused', code: 'unreadable-answer' });
	expect(node.service.writes).toEqual([]);
});

describe('the hash in a 429, after which a write is sent again, is kept', () => {
	const limited = (hash: string): Answer => ({
		...{ status: 429, headers: { location: `/tx/${hash}`, 'retry-after': '0' } },
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
		expect(error?.message).toContain(
			`; an earlier attempt reported transaction ${HASH}, ${hashOf(8)}`,
		);
		const details = { outcome: 'refused', hashes: [HASH, hashOf(8)] };
		expect(error).toMatchObject({ context: { details } });
	});
});

test('an error names each transaction of the answer, if any', async () => {
	const both = { status: 'PENDING', hash: HASH, tx: { hash: hashOf(8) } };
	node.service.answer(json(both), json({ status: 'PENDING' }));
	expect((await run()).error?.message).toContain(
		`; the answer contains transaction ${HASH}, ${hashOf(8)}`,
	);
	const { error } = await run({}, { args: '["2"]' });
	expect(error?.message).toContain('with the status "PENDING"');
	expect(error?.message).not.toContain('contains transaction');
});
