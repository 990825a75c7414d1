/** Whole tokens in arguments under the rules of writes: tries, services, tools, and functions chosen by what they do. */
import type { IDataObject, INode } from 'n8n-workflow';

import { EphemeralCalls } from './support/ephemeral-calls.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { BOB, hashOf, TOKEN } from './support/token-service.mts';
import { TokenWrites, transferOf } from './support/token-writes.mts';

const writes = new TokenWrites();
const { sends } = writes;

const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
const LOST = { status: 500, body: 'Internal Server Error' };
const FAILED = { body: JSON.stringify({ status: 'FAILED', error: 'no gas yet' }) };

describe('Retry on Fail, while the contract says other decimals at each try', () => {
	/** The decimals change once a number of writes has arrived. */
	async function whenSent<T>(count: number, running: Promise<T>): Promise<T> {
		while (sends.writes.length < count) await new Promise((resolve) => setImmediate(resolve));
		sends.facts = { ...sends.facts, decimals: 8 };
		return await running;
	}

	test('a write of unknown outcome is not sent again', async () => {
		sends.answers.push(LOST);
		const { error } = await whenSent(1, writes.run('12.5 token', RETRY));
		expect(writes.amounts).toEqual(['12500000']);
		expect(error?.message).toContain('Not sent again: an earlier try');
		expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
	});

	test('an answered write is replayed, and both calls are named', async () => {
		sends.answers.push({ body: JSON.stringify({ status: 'SUCCESS', hash: hashOf(7) }) }, FAILED);
		const { items } = await whenSent(2, writes.run('12.5 token', RETRY, { items: [{}, {}] }));
		expect(writes.amounts).toEqual(['12500000', '12500000', '1250000000']);
		expect(items[0]?.json).toMatchObject({
			hash: hashOf(7),
			replayed: true,
			warning: expect.stringContaining('Nothing was sent now'),
			sentCall: { args: [BOB.address, '12500000'] },
			requestedCall: { args: [BOB.address, '1250000000'] },
		});
		expect(items[1]?.json).not.toHaveProperty('replayed');
	});

	test('a write that was refused is sent with the decimals of its own try', async () => {
		sends.answers.push(FAILED);
		const { items } = await whenSent(1, writes.run('12.5 token', RETRY));
		expect(writes.amounts).toEqual(['12500000', '1250000000']);
		expect(items[0]?.json.hash).toBe(hashOf(2));
	});

	test('a try that ends earlier than the one before it names what that one did', async () => {
		const done = { body: JSON.stringify({ status: 'SUCCESS', hash: hashOf(7) }) };
		const lost = { status: 500, body: `lost: ${hashOf(8)}` };
		sends.answers.push(done, lost);
		const parameters = {
			...transferOf('12.5 token'),
			preview: '={{ $json.shown }}',
		};
		const items = [true, false, false].map((shown) => ({ shown }));
		const running = sends.run(parameters, RETRY, { items });
		while (sends.writes.length < 2) await new Promise((resolve) => setImmediate(resolve));
		sends.facts = {};
		const { error } = await running;
		expect(error?.message).toMatch(/names no decimals/);
		expect(error?.description).toContain(`Submitted before, item 1: ${hashOf(7)}`);
		expect(error?.description).toMatch(new RegExp(`Of unknown outcome, item 2: .*${hashOf(8)}`));
		expect(sends.writes).toHaveLength(2);
	});

	test('an answered write is kept although the contract cannot be asked any more', async () => {
		sends.answers.push({ body: JSON.stringify({ status: 'SUCCESS', hash: hashOf(7) }) }, FAILED);
		const running = writes.run('12.5 token', RETRY, { items: [{}, {}] });
		while (sends.writes.length < 2) await new Promise((resolve) => setImmediate(resolve));
		sends.facts = {};
		const { error } = await running;
		expect(error?.message).toMatch(/names no decimals/);
		expect(error?.description).toContain(`item 0: ${hashOf(7)}`);
		expect(sends.writes).toHaveLength(2);
	});
});

test('items that belong to different services count by the decimals of their own', async () => {
	await using other = await ScriptedService.start();
	const written: string[][] = [];
	other.script = ({ path, body }) => {
		const { abi, args } = JSON.parse(body) as { abi: string; args: string[] };
		if (path.endsWith('/write')) written.push(args);
		const response = abi.startsWith('decimals') ? 8 : 'SUSD';
		return { body: JSON.stringify({ status: 'SUCCESS', hash: hashOf(99), response }) };
	};
	const baseUrl = `={{ $json.there ? '${other.baseUrl}' : '${sends.service.baseUrl}' }}`;
	const items = [{ there: false }, { there: true }, { there: false }];
	const credential = sends.credential({ baseUrl });
	const { error } = await writes.run('12.5 token', {}, { items, credential });
	expect(error).toBeUndefined();
	expect(writes.amounts).toEqual(['12500000', '12500000']);
	expect(written).toEqual([[BOB.address, '1250000000']]);
});

test('items with different access tokens ask each for themselves', async () => {
	const accessToken = '={{ $json.of }}';
	const items = [{ of: 'one' }, { of: 'two' }, { of: 'one' }];
	await writes.run('12.5 token', {}, { items, credential: sends.credential({ accessToken }) });
	expect(sends.reads).toEqual(['decimals', 'symbol', 'decimals', 'symbol']);
	expect(sends.writes).toHaveLength(3);
});

test('an amount that one service counted is not sent at another', async () => {
	const { baseUrl } = sends.service;
	const credential = {
		...sends.credential(),
		get baseUrl() {
			return sends.reads.includes('decimals') ? `${baseUrl}/elsewhere` : baseUrl;
		},
	};
	const { error } = await writes.run('12.5 token', {}, { credential });
	expect(sends.service.requests.filter(({ path }) => path.endsWith('/write'))).toEqual([]);
	expect(error?.message).toContain('Base URL: The base URL of the credential changed');
});

describe('a function that was chosen by what it does', () => {
	const common = (writeFunction: string, value: IDataObject): IDataObject => ({
		...transferOf(''),
		...{ functionSource: 'commonFunction', writeFunction },
		arguments: { mappingMode: 'defineBelow', value },
	});
	const transfer = (amount: string | number): IDataObject =>
		common('ERC-20 transfer(address,uint256)', {
			...{ 'to (address)': BOB.address, 'amount (uint256)': amount },
		});

	test.each(['12', 12])('%j in a field says neither tokens nor base units', async (amount) => {
		const { error } = await sends.run(transfer(amount));
		expect(error?.message).toBe(
			'amount (uint256): "12" does not say whether it counts tokens or base units',
		);
		const hint = 'For 12 SUSD write 12 token; for base units write 12 base';
		expect(error?.description).toMatch(hint);
		expect(sends.writes).toEqual([]);
	});

	test.each<[string, IDataObject, string]>([
		['tokens', transfer('12 token'), '12000000'],
		['base units', transfer('12 base'), '12'],
		[
			'JSON',
			{ ...transfer(''), argumentsMode: 'json', args: JSON.stringify([BOB.address, 12]) },
			'12',
		],
		[
			'the number of an NFT',
			common('ERC-721 approve(address,uint256)', {
				...{ 'to (address)': BOB.address, 'tokenId (uint256)': '12' },
			}),
			'12',
		],
	])('%s', async (_name, parameters, baseUnits) => {
		const { error } = await sends.run(parameters);
		expect(error).toBeUndefined();
		expect(writes.amounts).toEqual([baseUnits]);
	});

	// The service answers whatever is not asked for decimals with what it has for a symbol.
	test.each([
		[6, { value: '5', amount: '0.000005', symbol: '5' }],
		[undefined, { value: '5' }],
		[503, { value: '5' }],
	])('gives an amount as well, with the decimals %j', async (decimals, output) => {
		sends.facts = { decimals, symbol: '5' };
		const { items } = await sends.run({
			...{ resource: 'contract', operation: 'read', contractAddress: TOKEN },
			...{ readFunction: 'ERC-20 totalSupply()', options: { maxTries: 1 } },
		});
		expect(items[0]?.json).toEqual({ ...output, status: 'SUCCESS' });
	});
});

describe('as a tool', () => {
	let calls: EphemeralCalls;
	beforeAll(async () => {
		calls = await EphemeralCalls.create();
	});

	const call = async (amount: string) => {
		const type = 'n8n-nodes-wallet-service.walletServiceTool';
		const parameters = transferOf('={{ $json.amount }}') as never;
		const [item] = await calls.call(type, parameters, sends.credential(), { amount });
		return item?.json;
	};

	test('a call of unknown outcome is refused when it comes again, however its amount is written', async () => {
		sends.answers.push(LOST);
		await expect(call('12.5 token')).rejects.toThrow(/MAY have been sent/);
		for (const amount of ['12.50 SUSD', '12500000', '12.5 * 10^6']) {
			await expect(call(amount)).rejects.toThrow(/Not sent again: an earlier write/);
		}
		expect(await call('12.6 token')).toMatchObject({ hash: hashOf(2) });
		expect(writes.amounts).toEqual(['12500000', '12600000']);
	});

	test('what is wrong is said in the message, which is all that a model gets', async () => {
		await expect(call('12.5')).rejects.toThrow(/For 12\.5 SUSD write 12\.5 token/);
		await expect(call('12,5')).rejects.toThrow(/not a comma: 12\.5 token/);
		expect(sends.writes).toEqual([]);
	});
});
