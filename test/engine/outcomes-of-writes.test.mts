/** What a write reports for whatever the service answers: done, refused or unknown, and every transaction hash. */
import type { IDataObject, INode } from 'n8n-workflow';

import type { GivenAnswer } from './support/answering-service.mts';
import { hashOf } from './support/answering-service.mts';
import { Writing } from './support/writing.mts';

const HASH = hashOf(0xbeef);
const writing = Writing.prepare();

const run = async (node: Partial<INode>, changes: IDataObject = {}) =>
	await writing.run(changes, node);

interface Case {
	readonly name: string;
	readonly answer: GivenAnswer;
	readonly outcome: 'done' | 'refused' | 'unknown';
	readonly code?: string;
	readonly hash?: string;
}

const CASES: Case[] = [
	{
		name: 'SUCCESS in lower case',
		answer: { body: { status: 'success', hash: HASH } },
		outcome: 'done',
		hash: HASH,
	},
	{
		name: 'PENDING with a hash',
		answer: { body: { status: 'PENDING', hash: HASH } },
		outcome: 'unknown',
		code: 'not-confirmed',
		hash: HASH,
	},
	{
		name: 'SUBMITTED without a hash',
		answer: { body: { status: 'SUBMITTED' } },
		outcome: 'unknown',
		code: 'not-confirmed',
	},
	{
		name: 'FAILED with a hash of another name',
		answer: { body: { status: 'FAILED', error: 'reverted', transactionHash: HASH } },
		outcome: 'unknown',
		code: 'service-failed',
		hash: HASH,
	},
	{
		name: 'failed in lower case',
		answer: { body: { status: 'failed', error: 'no gas' } },
		outcome: 'refused',
		code: 'service-failed',
	},
	{
		name: 'an empty hash',
		answer: { body: { status: 'SUCCESS', hash: '' } },
		outcome: 'unknown',
		code: 'unreadable-answer',
	},
	{
		name: 'a hash in the transaction only',
		answer: { body: { status: 'SUCCESS', tx: { hash: HASH } } },
		outcome: 'unknown',
		code: 'unreadable-answer',
		hash: HASH,
	},
	{
		name: 'a 400 with a hash in its JSON',
		answer: { status: 400, body: { error: { message: 'known', data: { hash: HASH } } } },
		outcome: 'unknown',
		code: 'bad-request',
		hash: HASH,
	},
	{
		name: 'a 400',
		answer: { status: 400, body: { error: 'no' } },
		outcome: 'refused',
		code: 'bad-request',
	},
	{ name: 'a 401', answer: { status: 401 }, outcome: 'refused', code: 'unauthorized' },
	{ name: 'a 408', answer: { status: 408 }, outcome: 'unknown', code: 'timeout' },
	{ name: 'a 409', answer: { status: 409 }, outcome: 'unknown', code: 'unexpected-status' },
	{ name: 'a 425', answer: { status: 425 }, outcome: 'unknown', code: 'unexpected-status' },
	{
		name: 'a 500 with a hash in its text',
		answer: { status: 500, body: `sent ${HASH}, then crashed` },
		outcome: 'unknown',
		code: 'service-error',
		hash: HASH,
	},
	{
		name: 'a 302 that names a transaction',
		answer: { status: 302, headers: { location: `/tx/${HASH}` } },
		outcome: 'unknown',
		code: 'redirected',
		hash: HASH,
	},
	{
		name: 'a 303',
		answer: { status: 303, headers: { location: '/queue' } },
		outcome: 'unknown',
		code: 'redirected',
	},
	{
		name: 'a 307 with a hash in its Location',
		answer: { status: 307, headers: { location: `/tx/${HASH}` } },
		outcome: 'refused',
		code: 'redirected',
		hash: HASH,
	},
	{ name: 'a 308', answer: { status: 308 }, outcome: 'refused', code: 'redirected' },
	{ name: 'an empty body', answer: {}, outcome: 'unknown', code: 'unreadable-answer' },
	{
		name: 'half an answer',
		answer: { body: `{"status":"SUCCESS","hash":"${HASH}` },
		outcome: 'unknown',
		code: 'unreadable-answer',
		hash: HASH,
	},
	{ name: 'a cut', answer: 'cut', outcome: 'unknown', code: 'connection-lost' },
];

test.each(CASES)('$name', async ({ answer, outcome, code, hash }) => {
	const { service, log } = writing;
	service.answer(answer);
	const { items } = await run({ onError: 'continueRegularOutput' });
	expect(service.writes).toHaveLength(1);
	const json = items[0]?.json ?? {};
	const lines = log.writes();
	if (outcome === 'done') {
		expect(json).toMatchObject({ submitted: true, hash });
		expect(lines).toEqual([expect.stringContaining(`submitted: ${hash}`)]);
		return;
	}
	const details = { outcome, code, itemIndex: 0, ...(hash !== undefined && { hashes: [hash] }) };
	expect(json).toMatchObject({ error: expect.any(String), details });
	expect(json.details).toHaveProperty('hint', expect.any(String));
	expect(String(json.error).includes('MAY have been sent')).toBe(outcome === 'unknown');
	if (hash !== undefined) expect(json.error).toContain(hash);
	else expect(json.details).not.toHaveProperty('hashes');
	expect(lines).toHaveLength(outcome === 'unknown' || hash !== undefined ? 1 : 0);
	if (hash !== undefined) expect(lines[0]).toContain(hash);
});

test('an error that stops the run and one for the error output say the same', async () => {
	const { service } = writing;
	service.answer({ body: { status: 'PENDING', hash: HASH } });
	const stopped = await run({});
	const details = { outcome: 'unknown', code: 'not-confirmed', hashes: [HASH], itemIndex: 0 };
	expect(stopped.error).toMatchObject({ context: { details } });
	service.answer({ body: { status: 'PENDING', hash: HASH } });
	const { errorItems, items } = await run({ onError: 'continueErrorOutput' }, { args: '["2"]' });
	expect(items).toEqual([]);
	expect(errorItems.map(({ json }) => json)).toMatchObject([{ details }]);
});

test('n8n’s empty item beside the error output is warned of', async () => {
	const { service } = writing;
	service.answer({ status: 400 });
	const node = { onError: 'continueErrorOutput', alwaysOutputData: true } as const;
	const { items, errorItems, run: whole } = await run(node);
	expect([items.map(({ json }) => json), errorItems.length]).toEqual([[{}], 1]);
	const [task] = whole.data.resultData.runData['Wallet Service'] ?? [];
	expect(task?.hints).toEqual([
		expect.objectContaining({ message: expect.stringContaining('Always Output Data') }),
	]);
	const [good] = (await run(node)).run.data.resultData.runData['Wallet Service'] ?? [];
	expect(good?.hints).toEqual([
		expect.objectContaining({ message: expect.stringMatching(/^Sent\. Pin /) }),
	]);
});

test('a refused write takes nothing from the budget, an unknown one does', async () => {
	const { service } = writing;
	service.answer({ status: 400 }, 'cut', { body: { status: 'PENDING', hash: HASH } });
	const { items } = await writing.run(
		{ abi: 'pay() payable', args: '[]', options: { nativeCoin: '={{ 40 - $itemIndex }} wei' } },
		{ onError: 'continueRegularOutput' },
		{
			credential: { ...writing.credential(), maxValuePerExecution: '100 wei' },
			items: [{}, {}, {}, {}],
		},
	);
	expect(service.writes).toHaveLength(3);
	expect(items.map(({ json }) => json.details)).toMatchObject([
		{ outcome: 'refused', code: 'bad-request' },
		{ outcome: 'unknown', code: 'connection-lost' },
		{ outcome: 'unknown', code: 'not-confirmed' },
		{ outcome: 'refused', code: 'policy-refused' },
	]);
});

test('a user who cannot be looked up leaves the write unsent, and says so', async () => {
	const asked = { abi: 'grant(address to)', args: '["DISCORD-1"]' };
	const { items } = await run({ onError: 'continueRegularOutput' }, asked);
	expect(items[0]?.json.details).toMatchObject({ outcome: 'refused', code: 'unreadable-answer' });
	expect(writing.service.writes).toEqual([]);
});

describe('a try that is answered with 429 and names a transaction is sent again, and its hash is not lost', () => {
	const limited: GivenAnswer = {
		status: 429,
		headers: { location: `/tx/${HASH}`, 'retry-after': '0' },
	};

	test('when the next one succeeds', async () => {
		const { service, log } = writing;
		service.answer(limited);
		const { items } = await run({});
		expect(items[0]?.json.hash).toBe(hashOf(2));
		expect(log.writes()).toEqual([
			expect.stringContaining(`submitted: ${hashOf(2)} (refused before: ${HASH}), item 0`),
		]);
	});

	test('when the next one is refused', async () => {
		const { service } = writing;
		const other = { ...limited, headers: { ...limited.headers, location: `/tx/${hashOf(7)}` } };
		service.answer(limited, other, { status: 400, body: { error: 'no' } });
		const { error } = await run({});
		expect(error?.message).toContain(`; an earlier try was answered with ${HASH}, ${hashOf(7)}`);
		expect(error).toMatchObject({
			context: { details: { outcome: 'refused', hashes: [HASH, hashOf(7)] } },
		});
	});
});

test('an error names each transaction, and none when there is none', async () => {
	const { service } = writing;
	service.answer({ body: { status: 'PENDING', hash: HASH, tx: { hash: hashOf(7) } } });
	const named = await run({});
	expect(named.error?.message).toContain(`; it names the transaction ${HASH}, ${hashOf(7)}`);
	service.answer({ body: { status: 'PENDING' } });
	const { error } = await run({}, { args: '["2"]' });
	expect(error?.message).not.toContain('it names');
});
