/** Token: Send keeps every rule of writes: places, replays, the spending limits, the balance, tools. */
import type { IDataObject, INode } from 'n8n-workflow';

import { EphemeralCalls } from './support/ephemeral-calls.mts';
import { ALICE, BOB, hashOf, TOKEN, TokenSends } from './support/token-service.mts';

const sends = TokenSends.prepare();

const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
/** Another amount on each try. */
const CHANGING = '={{ String(1 + Math.floor(Math.random() * 900000)) + ".5" }}';
const LOST = { status: 500, body: 'Internal Server Error' };
const FAILED = { body: JSON.stringify({ status: 'FAILED', error: 'no gas yet' }) };

describe('Retry on Fail', () => {
	test('a send whose answer was lost is not sent again, whatever the amount is now', async () => {
		sends.answers.push(LOST);
		const { error } = await sends.run({ amount: CHANGING }, RETRY);
		expect(sends.writes).toHaveLength(1);
		expect(error?.message).toContain('Not sent again: an earlier try');
		expect(error).toMatchObject({
			context: { details: { outcome: 'unknown', code: 'not-sent-again', itemIndex: 0 } },
		});
	});

	test('Resend When Unknown lifts it', async () => {
		sends.answers.push(LOST);
		const { items } = await sends.run({ options: { resendWhenUnknown: true } }, RETRY);
		expect(sends.writes).toHaveLength(2);
		expect(items[0]?.json).toMatchObject({ submitted: true, amount: '12.5' });
	});

	test('an answered send is replayed, without a look at the balance', async () => {
		sends.answers.push({ body: JSON.stringify({ status: 'SUCCESS', hash: hashOf(7) }) }, FAILED);
		const { items, error } = await sends.run({}, RETRY, { items: [{}, {}] });
		expect(error).toBeUndefined();
		expect(sends.writes).toHaveLength(3);
		expect(sends.balanceLookUps).toBe(3);
		expect(items[0]?.json).toMatchObject({
			summary: 'Submitted by an earlier try: 12.5 SUSD to GOOGLE-2 (0xb2b2…b2b2)',
			hash: hashOf(7),
			replayed: true,
		});
		expect(items[1]?.json).not.toHaveProperty('replayed');
	});

	test('a replay of another amount claims none', async () => {
		sends.answers.push({ body: JSON.stringify({ status: 'SUCCESS', hash: hashOf(7) }) }, FAILED);
		const { items } = await sends.run({ amount: CHANGING }, RETRY, { items: [{}, {}] });
		expect(items[0]?.json).toEqual({
			summary: 'Submitted by an earlier try, with other values: see "sentCall"',
			submitted: true,
			hash: hashOf(7),
			submittedAt: expect.any(String),
			userId: ALICE.id,
			replayed: true,
			warning: expect.stringContaining('Nothing was sent now'),
			sentCall: expect.objectContaining({ args: sends.writes[0]?.args }),
			requestedCall: expect.objectContaining({ function: 'transfer(address,uint256)' }),
		});
	});

	test('an answered send is kept although the token cannot be asked any more', async () => {
		sends.answers.push({ body: JSON.stringify({ status: 'SUCCESS', hash: hashOf(7) }) }, FAILED);
		const running = sends.run({}, RETRY, { items: [{}, {}] });
		while (sends.writes.length < 2) await new Promise((resolve) => setImmediate(resolve));
		sends.facts = {};
		const { error } = await running;
		expect(error?.message).toMatch(/does not look like an ERC-20 token/);
		expect(error?.description).toMatch(new RegExp(`Item 1\n.*item 0: ${hashOf(7)}`));
		expect(sends.writes).toHaveLength(2);
	});
});

describe('the balance', () => {
	test('too low a balance is said in tokens, and nothing is sent', async () => {
		sends.facts = { ...sends.facts, balance: '2374500001' };
		const { error } = await sends.run({ amount: '3000' });
		expect(error?.message).toContain('Amount: DISCORD-1 has 2374.500001 SUSD, 3000 are needed');
		expect(error).toMatchObject({
			context: { details: { outcome: 'refused', code: 'invalid-input' } },
		});
		expect(sends.writes).toEqual([]);
	});

	test('the whole balance can be sent', async () => {
		sends.facts = { ...sends.facts, balance: '12500000' };
		expect((await sends.run()).error).toBeUndefined();
		expect(sends.writes).toHaveLength(1);
	});

	test.each<[string, string | number | undefined]>([
		['HTTP 404', 404],
		['HTTP 503', 503],
		['no number', 'plenty'],
		['nothing', undefined],
	])('one that cannot be looked up is left to the chain: %s', async (_name, balance) => {
		sends.facts = { ...sends.facts, balance };
		expect((await sends.run()).error).toBeUndefined();
		expect([sends.writes.length, sends.balanceLookUps]).toEqual([1, 1]);
	});

	test('without a user in the credential there is none to look up', async () => {
		const { items } = await sends.run({}, {}, { credential: sends.credential({ userId: '' }) });
		expect(items[0]?.json.submitted).toBe(true);
		expect(sends.balanceLookUps).toBe(0);
		const shown = await sends.run(
			{ preview: true },
			{},
			{ credential: sends.credential({ userId: '' }) },
		);
		expect(shown.items[0]?.json.summary).toContain('from the wallet of the credential to');
	});

	test('too low a balance does not make an earlier sending known', async () => {
		sends.answers.push(LOST);
		const options = { resendWhenUnknown: true };
		const amount = '={{ $vars.amount }}';
		const variables: IDataObject = { amount: '5' };
		const running = sends.run({ amount, options }, RETRY, { variables });
		while (sends.writes.length === 0) await new Promise((resolve) => setImmediate(resolve));
		variables.amount = '99999999999';
		const { error } = await running;
		expect(error?.message).toContain('An earlier try in this execution may have sent');
		expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
		expect(sends.writes).toHaveLength(1);
	});
});

describe('the spending limits', () => {
	test.each([
		['writes off', { allowWrites: false }, /rule "Allow Writes"/],
		['another token', { allowedContracts: BOB.address }, /rule "Allowed Contracts"/],
		[
			'another function',
			{ allowedFunctions: 'approve(address,uint256)' },
			/rule "Allowed Functions": transfer\(address,uint256\)/,
		],
		[
			'one that cannot be read',
			{ allowedFunctions: 'send money' },
			/Credential: Allowed Functions/,
		],
	])('forbids %s', async (_name, policy, message) => {
		const { error } = await sends.run({}, {}, { credential: sends.credential(policy) });
		expect(error?.message).toMatch(message);
		expect(sends.writes).toEqual([]);
		// Nor is anything asked about it.
		expect(sends.balanceLookUps).toBe(0);
	});

	test('allows what it names', async () => {
		const policy = { allowedContracts: TOKEN, allowedFunctions: '0xa9059cbb' };
		const { error } = await sends.run({}, {}, { credential: sends.credential(policy) });
		expect(error).toBeUndefined();
		expect(sends.writes).toHaveLength(1);
	});
});

test('a run that goes on says of each failed item what became of it', async () => {
	sends.answers.push(FAILED, LOST);
	const items = ['1', '2', 'three', '4'].map((amount) => ({ amount }));
	const { items: output } = await sends.run(
		{ amount: '={{ $json.amount }}' },
		{ onError: 'continueRegularOutput' },
		{ items },
	);
	expect(output.map(({ json }) => json.details ?? json.submitted)).toMatchObject([
		{ itemIndex: 0, outcome: 'refused', code: 'service-failed' },
		{ itemIndex: 1, outcome: 'unknown', code: 'service-error' },
		{ itemIndex: 2, outcome: 'refused', code: 'invalid-input', parameter: 'Amount' },
		true,
	]);
	expect(sends.writes).toHaveLength(3);
});

test('a run that stops names what was submitted before, and sends nothing after', async () => {
	const items = ['1', 'two', '3'].map((amount) => ({ amount }));
	const { error } = await sends.run({ amount: '={{ $json.amount }}' }, {}, { items });
	expect(error?.description).toContain('Item 1');
	expect(error?.description).toContain(`item 0: ${hashOf(1)}`);
	expect(sends.writes).toHaveLength(1);
});

test('sends of several executions go out in turn, each with its balance', async () => {
	await Promise.all(Array.from({ length: 4 }, async () => await sends.run()));
	const order = sends.service.requests
		.map(({ path }) =>
			path.includes('/balance/') ? 'balance' : path.endsWith('write') ? 'write' : '',
		)
		.filter((step) => step !== '');
	expect(order).toEqual(Array.from({ length: 4 }, () => ['balance', 'write']).flat());
});

describe('as a tool', () => {
	let calls: EphemeralCalls;
	beforeAll(async () => {
		calls = await EphemeralCalls.create();
	});

	const send = async (given: IDataObject) => {
		const parameters = sends.parameters({
			token: { __rl: true, mode: 'address', value: TOKEN },
			recipient: '={{ $json.recipient }}',
			amount: '={{ $json.amount }}',
		});
		const type = 'n8n-nodes-wallet-service.walletServiceTool';
		const [item] = await calls.call(type, parameters, sends.credential(), given);
		return item?.json;
	};

	test('a call sends, and the same call is another send', async () => {
		const given = { recipient: BOB.id, amount: '2.25' };
		const done = [await send(given), await send(given)];
		expect(done).toMatchObject([
			{ summary: 'Submitted: 2.25 SUSD to GOOGLE-2 (0xb2b2…b2b2)', hash: hashOf(1) },
			{ submitted: true, hash: hashOf(2) },
		]);
		expect(sends.writes).toHaveLength(2);
	});

	test('a call of unknown outcome is refused when it comes again, however it is written', async () => {
		sends.answers.push(LOST);
		await expect(send({ recipient: BOB.id, amount: '3.50' })).rejects.toThrow(/MAY have been/);
		for (const recipient of [BOB.id, BOB.address]) {
			await expect(send({ recipient, amount: '3.5' })).rejects.toThrow(
				/Not sent again: an earlier write with this credential/,
			);
		}
		expect(await send({ recipient: ALICE.id, amount: '3.5' })).toMatchObject({ submitted: true });
		expect(sends.writes).toHaveLength(2);
	});

	test('what is wrong is said in the message, which is all that a model gets', async () => {
		await expect(send({ recipient: 'Rahul', amount: '1' })).rejects.toThrow(
			/"Rahul" is neither a user ID nor an address.*DISCORD-/s,
		);
		await expect(send({ recipient: BOB.id, amount: '1,5' })).rejects.toThrow(
			/a decimal point, not a comma: 1\.5/,
		);
		expect(sends.writes).toEqual([]);
	});
});
