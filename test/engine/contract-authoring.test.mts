/** Contract calls as people author them, through n8n's engine: every parameter reaches the chain as intended. */
import { Interface, ZeroAddress } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import { useService } from '../support/sandbox/service.mts';
import { type RunSettings, useNode } from './support/use-node.mts';

const node = useNode(useService());

const requests = async () => await node.service.faults.requests();

const parametersOf = (operation: string, more: object): IDataObject => ({
	...{ resource: 'contract', operation, functionSource: 'signature' },
	...{ contractAddress: node.service.contracts.shapes, ...more },
});
const run = async (operation: string, more: object, settings?: RunSettings) =>
	await node.run(parametersOf(operation, more), settings);

/** The item of a call that succeeds. */
async function itemOf(operation: string, more: object, item: IDataObject = {}) {
	const { items, error } = await run(operation, more, { items: [item] });
	expect(error).toBeUndefined();
	return items[0]?.json ?? {};
}

/** The data of the transaction that a write submitted. */
async function submitted(more: object): Promise<string | undefined> {
	const { hash } = await itemOf('write', more);
	return (await node.service.chain.getTransaction(String(hash)))?.data;
}

const fields = (value: object) => ({ arguments: { mappingMode: 'defineBelow', value } });
const json = (args: unknown) => ({ argumentsMode: 'json', args: JSON.stringify(args) });
const ofAbi = (contractAbi: string, contractFunction: string) => ({
	...{ functionSource: 'contractAbi', contractAbi, contractFunction },
});

const OVERLOADS = [
	'function pick(uint256) pure returns (string)',
	'function pick(address) pure returns (string)',
	'function store(uint256 value) returns (uint256 previous)',
];
/** One entry cannot be read. */
const WITH_FIXED = JSON.stringify([
	...['fixed128x18', 'uint256'].map((type) => ({
		...{ type: 'function', name: 'pick', stateMutability: 'pure' },
		...{ inputs: [{ type }], outputs: [{ type: 'string' }] },
	})),
]);

describe('the function', () => {
	const solidity =
		'function pick(uint256 a) external onlyRole(ADMIN_ROLE) whenNotPaused pure returns (string memory) {';

	test.each<[string, object, string?]>([
		['chosen by its types', ofAbi(OVERLOADS.join('\n'), 'pick(uint256)')],
		['of an expression', ofAbi(JSON.stringify({ abi: OVERLOADS }), '={{ $json.key }}')],
		['beside one that cannot be read', ofAbi(WITH_FIXED, 'pick(uint256)')],
		['of Solidity with modifiers', { abi: solidity }],
	])('%s is the one called', async (_name, source) => {
		const key = 'pick(uint256)';
		expect((await itemOf('read', { ...source, ...json(['7']) }, { key })).value).toBe(key);
	});

	test('of a token standard reads and writes', async () => {
		const contractAddress = node.service.contracts.usd;
		const common = { contractAddress, functionSource: 'commonFunction' };
		const read = { ...common, readFunction: 'ERC-20 decimals()' };
		expect((await itemOf('read', read)).value).toBe('6');
		const spender = node.service.user('Rahul Sen').address;
		const values = { 'spender (address)': spender, 'amount (uint256)': '1.5 * 10^6' };
		const approve = new Interface(['function approve(address,uint256)']);
		const write = { ...common, writeFunction: 'ERC-20 approve(address,uint256)' };
		expect(await submitted({ ...write, ...fields(values) })).toBe(
			approve.encodeFunctionData('approve', [spender, 1500000n]),
		);
	});

	test('without a declared mutability is read, although it may write', async () => {
		await run('read', { abi: 'store(uint256) external', ...json(['1']) });
		expect(await requests()).toHaveLength(1);
	});

	test.each([
		['read', { abi: 'pay() payable' }, 'Function Signature', /a read cannot do/],
		['write', { abi: 'negative() pure' }, 'Function Signature', /declared pure.*only reads/],
		[
			'write',
			{ abi: 'store(uint256) nonpayable', options: { nativeCoin: '1' } },
			'Options: Native Coin to Send Along',
			/accepts no native/,
		],
		[
			'write',
			{ functionSource: 'commonFunction', writeFunction: 'ERC-20 decimals()' },
			'Common Function',
			/decimals\(\) is declared view/,
		],
		['read', { functionSource: 'magic' }, 'Function Source', /"magic"/],
		['read', ofAbi(OVERLOADS.join('\n'), 'pick'), 'Function', /2 functions called "pick"/],
		['read', ofAbi(WITH_FIXED, 'pick'), 'Function', /More than one entry may be/],
		['read', ofAbi(WITH_FIXED, 'pick(fixed128x18)'), 'Function', /"fixed128x18": it is not a/],
	])('is guarded in %s of %j', async (operation, more, parameter, message) => {
		const { error } = await run(operation, { ...json(['1']), ...more });
		expect(error?.message).toMatch(message);
		expect(error).toMatchObject({ context: { details: { code: 'invalid-input', parameter } } });
		expect(await requests()).toEqual([]);
	});
});

describe('arguments', () => {
	test('come from fields, with toggles, amounts, JSON and expressions', async () => {
		const types =
			'(bool open, bool closed, uint256 amount, uint8[] list, (string name, int8 n) entry, string text)';
		const values = fields({
			'open (bool)': true,
			'closed (bool)': null,
			'amount (uint256)': '2 gwei',
			'list (uint8[])': '={{ $json.list }}',
			'entry ((string,int8))': '{"name": "a", "n": -1}',
			'text (string)': '',
			'left over from another function (uint256)': 'x',
		});
		const read = { abi: `mix${types} view returns ${types}`, ...values };
		expect((await itemOf('read', read, { list: [1, '2'] })).value).toEqual({
			...{ open: true, closed: false, amount: '2000000000', list: ['1', '2'] },
			...{ entry: { name: 'a', n: '-1' }, text: '' },
		});
	});

	test('come as an object by name', async () => {
		const abi = 'f(uint256 amount, address to) view returns (uint256, address)';
		const to = node.service.user().address;
		const { value } = await itemOf('read', { abi, ...json({ to, amount: '5' }) });
		expect(value).toEqual(['5', to]);
	});

	test('that are users become the addresses of their wallets, in fields and nested in JSON', async () => {
		const [first, second] = [node.service.user('Nelly'), node.service.user('Rahul Sen')];
		const types = '(address a, (address[] list, bool open) entry)';
		const values = fields({
			'a (address)': first.id,
			'entry ((address[],bool))': JSON.stringify([[second.id, ZeroAddress, first.id], true]),
		});
		const read = { abi: `all${types} view returns ${types}`, ...values };
		expect(await itemOf('read', read)).toMatchObject({
			value: {
				a: first.address,
				entry: { list: [second.address, ZeroAddress, first.address], open: true },
			},
			resolvedAddresses: { [first.id]: first.address, [second.id]: second.address },
		});
		const note = new Interface(['function note(address)']);
		expect(await submitted({ abi: 'note(address)', ...json([second.id]) })).toBe(
			note.encodeFunctionData('note', [second.address]),
		);
	});

	// All other refusals are in test/unit/contract/arguments.
	test.each([
		['a missing field', fields({}), 'amount (uint256)'],
		['an empty one', fields({ 'amount (uint256)': '' }), 'amount (uint256)'],
		['no unit', fields({ 'amount (uint256)': '1.5' }), 'amount (uint256)'],
		['a wrong mode', { argumentsMode: 'x' }, 'Arguments Mode'],
	])('with %s are refused before anything is sent', async (_name, values, parameter) => {
		const abi = 'echoUint(uint256 amount) view returns (uint256)';
		const { error } = await run('read', { abi, ...values });
		expect(error).toMatchObject({ context: { details: { code: 'invalid-input', parameter } } });
		expect(error?.description).toMatch(/Item 0$/);
		expect(await requests()).toEqual([]);
	});
});

describe('the answer', () => {
	test('of named returns has their names', async () => {
		const abi =
			'summary() view returns (uint256 count, string memory name, bool open, address self)';
		const { shapes } = node.service.contracts;
		expect(await itemOf('read', { abi })).toEqual({
			value: { count: '3', name: 'Shapes', open: true, self: shapes },
			status: 'SUCCESS',
			explorerUrl: expect.stringContaining(shapes),
		});
	});

	test('is scaled exactly on request', async () => {
		const scaled = { ...json(['-1500001']), options: { decimals: 6 } };
		const abi = 'echoInt(int256) view returns (int256)';
		expect((await itemOf('read', { ...scaled, abi })).value).toBe('-1.500001');
		const { error } = await run('read', { ...scaled, abi: 'echoInt(int256)' });
		expect(error?.message).toMatch(/Scale by Decimals: .*no return types/);
	});
});
