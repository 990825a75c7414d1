/** Whole tokens in arguments: converted with the decimals of the called contract, looked up once; no other token is accepted. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf } from './support/answers.mts';
import { callOf, transferOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

/** The amounts of all writes that reached the service. */
const amounts = () => node.service.writes.map(({ args }) => args[1]);

describe('one contract', () => {
	test.each(['12.5 token', '12.5 SUSD'])('converts %s in a field', async (amount) => {
		expect(await node.items(transferOf(amount))).toMatchObject([{ hash: hashOf(1) }]);
		expect(amounts()).toEqual(['12500000']);
	});

	test('converts at any depth of JSON, in a write, a preview and a read', async () => {
		const { service } = node;
		const args = [[[BOB.id, '1.5 token']], ['2 SUSD', '3']];
		const types = '(address to, uint96 amount)[] list, uint256[2] fees';
		const counted = [`[["${BOB.address}","1500000"]]`, '["2000000","3"]'];
		await node.run(callOf(`pay(${types})`, args));
		expect(service.writes[0]?.args).toEqual(counted);
		service.reset();
		const preview = await node.items(callOf(`pay(${types})`, args, { preview: true }));
		expect(preview).toMatchObject([{ body: { args: counted } }]);
		expect(service.writes).toEqual([]);
		service.reset();
		const abi = `quote(${types}) view returns (uint256)`;
		await node.run(callOf(abi, args, { operation: 'read' }));
		expect(JSON.parse(service.requests.at(-1)?.body ?? '')).toMatchObject({ args: counted });
		expect(service.reads).toEqual(['decimals', 'symbol', 'quote']);
	});

	test('is asked once for all items of a run', async () => {
		const items = ['1 token', '2.5 SUSD', '3', '4 * 10^6'].map((amount) => ({ amount }));
		await node.items(transferOf('={{ $json.amount }}'), { items });
		expect(amounts()).toEqual(['1000000', '2500000', '3', '4000000']);
		expect(node.service.reads).toEqual(['decimals', 'symbol']);
	});

	// `unit/contract/token-amount` tests which amounts are amounts of the token, and which are mistakes.
	test.each([
		['12.5 token', ['decimals', 'symbol']],
		['12.5', ['symbol']],
		['12', []],
	])('is asked for %j: %j', async (amount, reads) => {
		await node.run(transferOf(amount));
		expect(node.service.reads).toEqual(reads);
	});

	test('is not asked for a call that is refused anyway', async () => {
		await node.run(transferOf('12.5 token', '0x12'));
		expect(node.service.requests).toEqual([]);
	});
});

test('items ask the service to which they belong, each with its own access token', async () => {
	await using other = await ScriptedService.start();
	other.facts = { decimals: 8, symbol: 'SUSD' };
	const baseUrl = `={{ $json.there ? '${other.baseUrl}' : '${node.service.baseUrl}' }}`;
	const credential = node.service.credential({ baseUrl, accessToken: '={{ $json.of }}' });
	const items = [{ of: 'one' }, { of: 'one', there: true }, { of: 'two' }, { of: 'one' }];
	await node.items(transferOf('12.5 token'), { items, credential });
	expect(amounts()).toEqual(items.slice(1).map(() => '12500000'));
	expect(other.writes.map(({ args }) => args[1])).toEqual(['1250000000']);
	expect(node.service.reads).toEqual(['decimals', 'symbol', 'decimals', 'symbol']);
});

// `unit/contract` tests which strings are amounts.
describe('nothing is sent', () => {
	test.each<[facts: object, amount: string, RegExp, RegExp]>([
		[{}, '12.5 EURX', /"12.5 EURX" is an amount of another token: .* "SUSD"/, /write 12\.5 SUSD/],
		[{ symbol: 'SUSD to 0x12' }, '12.5 SUSD', /reports none of one word/, /12\.5 token/],
		[{ decimals: '256' }, '12.5 token', /0x\w+ reports no decimals/, /12\.5 \* 10\^6/],
		[{ symbol: undefined }, '12.5', /no unit/, /^For 12\.5 tokens write 12\.5 token/],
	])('if %j, for %s', async (facts, amount, message, hint) => {
		node.service.reports(facts);
		expect(await node.refusal(transferOf(amount))).toMatchObject({
			message: expect.stringMatching(message),
			hint: expect.stringMatching(hint),
			code: 'invalid-input',
			parameter: 'amount (uint256)',
		});
	});

	test('while the contract cannot be asked for a symbol that is needed', async () => {
		node.service.reports({ symbol: 503 });
		const parameters = { ...transferOf('12.5 SUSD'), options: { maxTries: 1 } };
		const { message } = await node.refusal(parameters);
		expect(message).toContain("The token's symbol could not be looked up");
	});
});

const ZERO = `0x${'0'.repeat(40)}`;

test.each<[string, to: string, profile?: IDataObject]>([
	['the zero address', ZERO],
	["the token's own contract", TOKEN.toUpperCase().replace('X', 'x')],
	['a user whose wallet is the zero address', BOB.id, { address: ZERO }],
	["a user whose wallet is the token's own contract", BOB.id, { address: TOKEN.toLowerCase() }],
])('tokens are not sent to %s', async (_who, to, profile = {}) => {
	node.service.profiles[BOB.id] = { id: BOB.id, ...profile };
	for (const preview of [true, false]) {
		const { message } = await node.refusal({ ...transferOf('5 token', to), preview });
		expect(message).toMatch(/^to \(address\): .* is .*: tokens sent there are lost/);
	}
});

test('the field of a recipient that would lose tokens has its name in the form', async () => {
	const value = { 'dst (address)': TOKEN, 'wad (uint256)': '5 token' };
	const { error } = await node.run({
		...transferOf(''),
		abi: 'transfer(address dst, uint256 wad)',
		arguments: { mappingMode: 'defineBelow', value },
	});
	expect(error?.message).toMatch(/^dst \(address\): .* lost$/);
});

describe('a common function', () => {
	const common = (writeFunction: string, value: IDataObject): IDataObject => ({
		...transferOf(''),
		functionSource: 'commonFunction',
		writeFunction,
		arguments: { mappingMode: 'defineBelow', value },
	});
	const transfer = (amount: string | number): IDataObject =>
		common('ERC-20 transfer(address,uint256)', {
			'to (address)': BOB.address,
			'amount (uint256)': amount,
		});

	test.each(['12', 12])('refuses %j in a field: tokens or base units?', async (amount) => {
		expect(await node.refusal(transfer(amount))).toMatchObject({
			message: 'amount (uint256): "12" could mean whole tokens or base units',
			hint: 'For 12 SUSD write 12 token; for base units write 12 base',
		});
	});

	const inJson = { argumentsMode: 'json', args: JSON.stringify([BOB.address, 12]) };
	const piece = { 'to (address)': BOB.address, 'tokenId (uint256)': '12' };

	test.each<[string, IDataObject, string]>([
		['tokens', transfer('12 token'), '12000000'],
		['base units', transfer('12 base'), '12'],
		['base units in JSON', { ...transfer(''), ...inJson }, '12'],
		['the number of an NFT', common('ERC-721 approve(address,uint256)', piece), '12'],
	])('takes %s', async (_name, parameters, baseUnits) => {
		await node.items(parameters);
		expect(amounts()).toEqual([baseUnits]);
	});

	const FACTS = ['decimals', 'symbol'];

	test.each([
		['ERC-20', 6, { amount: '0.000005', symbol: 'SUSD' }, FACTS],
		['ERC-20', 18, { amount: '0.000000000000000005', symbol: 'SUSD' }, FACTS],
		['ERC-20', undefined, {}, FACTS],
		['ERC-20', 503, {}, FACTS],
		// The number of NFTs is not an amount.
		['ERC-721', 6, {}, []],
	])('%s with the decimals %j returns %j as well', async (standard, decimals, output, facts) => {
		node.service.facts = { decimals, symbol: 'SUSD' };
		node.service.values = { [ALICE.address]: ['5'], [BOB.address]: ['5'] };
		const read = {
			resource: 'contract',
			operation: 'read',
			contractAddress: TOKEN,
			readFunction: `${standard} balanceOf(address)`,
			options: { maxTries: 1 },
			argumentsMode: 'json',
			args: '={{ [$json.address] }}',
		};
		const item = { ...output, value: '5', status: 'SUCCESS', explorerUrl: expect.any(String) };
		expect(await node.items(read, { items: [ALICE, BOB] })).toEqual([item, item]);
		expect([...node.service.reads].sort()).toEqual(['balanceOf', 'balanceOf', ...facts]);
	});
});
