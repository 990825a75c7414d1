/** Contract calls as people author them, through n8n's engine: every parameter reaches the chain as it is meant. */
import type { INodeParameters } from 'n8n-workflow';
import { Interface } from 'ethers';

import { runContract, submitted as submittedBy } from './support/contract-calls.mts';
import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

const run = async (operation: string, parameters: INodeParameters, items?: object[]) =>
	await runContract(engine, service, operation, parameters, items);

async function valueOf(parameters: INodeParameters): Promise<unknown> {
	const { items, error } = await run('read', parameters);
	expect(error).toBeUndefined();
	return items[0]?.json.value;
}

const fields = (value: INodeParameters) => ({ mappingMode: 'defineBelow', value });
const coin = (nativeCoin: unknown) => ({ options: { nativeCoin } }) as INodeParameters;
const json = (args: unknown) => ({ argumentsMode: 'json', args: JSON.stringify(args) });

/** The data of the transaction that a write submitted. */
const submitted = async (parameters: INodeParameters) =>
	await submittedBy(engine, service, parameters);

const OVERLOADS = [
	'function pick(uint256) pure returns (string)',
	'function pick(address) pure returns (string)',
	'function store(uint256 value) returns (uint256 previous)',
].join('\n');

describe('the function', () => {
	test.each(['pick(uint256)', 'pick(address)'])('%s of an ABI is the one called', async (key) => {
		const args = key === 'pick(address)' ? [service.user().address] : ['7'];
		expect(
			await valueOf({
				functionSource: 'contractAbi',
				contractAbi: OVERLOADS,
				contractFunction: key,
				...json(args),
			}),
		).toBe(key);
	});

	test('of an ABI may come from an expression', async () => {
		const { items } = await run(
			'read',
			{
				functionSource: 'contractAbi',
				contractAbi: JSON.stringify({ abi: [...OVERLOADS.split('\n')] }),
				contractFunction: '={{ $json.key }}',
				...json(['7']),
			},
			[{ key: 'pick(uint256)' }],
		);
		expect(items[0]?.json.value).toBe('pick(uint256)');
	});

	test('of a token standard reads and writes', async () => {
		const contractAddress = service.contracts.usd;
		expect(
			await valueOf({
				contractAddress,
				functionSource: 'commonFunction',
				readFunction: 'ERC-20 decimals()',
			}),
		).toBe('6');
		const { transaction } = await submitted({
			contractAddress,
			functionSource: 'commonFunction',
			writeFunction: 'ERC-20 approve(address,uint256)',
			arguments: fields({
				'spender (address)': service.user('Rahul Sen').address,
				'amount (uint256)': '1.5 * 10^6',
			}),
		});
		const approve = new Interface(['function approve(address,uint256)']);
		expect(transaction.data).toBe(
			approve.encodeFunctionData('approve', [service.user('Rahul Sen').address, 1500000n]),
		);
	});

	test.each([
		['read', { abi: 'store(uint256) external' }, /^(?!.*Write)/, false],
		['read', { abi: 'pay() payable' }, /declared payable.*read would change nothing/, true],
		['write', { abi: 'negative() pure' }, /declared pure.*only reads/, true],
		[
			'write',
			{ abi: 'store(uint256) nonpayable', ...coin('1') },
			/Native Coin to Send Along: .*takes no native/,
			true,
		],
		[
			'write',
			{ functionSource: 'commonFunction', writeFunction: 'ERC-20 decimals()' },
			/^Common Function: decimals\(\) is declared view/,
			true,
		],
		['read', { functionSource: 'magic' }, /Function Source: "magic" is not a source/, true],
		[
			'read',
			{ functionSource: 'contractAbi', contractAbi: OVERLOADS, contractFunction: 'pick' },
			/Function: There are 2 functions called "pick"/,
			true,
		],
	])('is guarded in %s of %j', async (operation, parameters, message, isRefused) => {
		const { error } = await run(operation, { ...parameters, ...json(['1']) });
		if (isRefused) expect(error?.message).toMatch(message);
		else expect(error?.message ?? '').toMatch(message);
		const requests = await service.faults.requests();
		expect(requests).toHaveLength(isRefused ? 0 : 1);
	});
});

describe('arguments', () => {
	test('come from fields, with toggles, amounts, JSON and expressions', async () => {
		const { items, error } = await run(
			'read',
			{
				abi: 'mix(bool open, bool closed, uint256 amount, uint8[] list, (string name, int8 n) entry, string text) view returns (bool open, bool closed, uint256 amount, uint8[] list, (string name, int8 n) entry, string text)',
				arguments: fields({
					'open (bool)': true,
					'closed (bool)': null,
					'amount (uint256)': '2 gwei',
					'list (uint8[])': '={{ $json.list }}',
					'entry ((string,int8))': '{"name": "a", "n": -1}',
					'text (string)': '',
					'left over from another function (uint256)': 'x',
				}),
			},
			[{ list: [1, '2'] }],
		);
		expect(error).toBeUndefined();
		expect(items[0]?.json.value).toEqual({
			open: true,
			closed: false,
			amount: '2000000000',
			list: ['1', '2'],
			entry: { name: 'a', n: '-1' },
			text: '',
		});
	});

	test('come as an object by name', async () => {
		const abi = 'f(uint256 amount, address to) view returns (uint256, address)';
		const to = service.user().address;
		expect(await valueOf({ abi, ...json({ to, amount: '5' }) })).toEqual(['5', to]);
	});

	const amount = (value: string | number) => ({
		abi: 'echoUint(uint256 amount) view returns (uint256)',
		arguments: fields({ 'amount (uint256)': value }),
	});
	test.each([
		['a missing field', { ...amount(''), arguments: fields({}) }, /amount \(uint256\): .*missing/],
		['an empty one', amount(''), /amount \(uint256\): The value is empty/],
		['no unit', amount('1.5'), /amount \(uint256\): "1.5" has a decimal point but no unit/],
		['lost digits', amount(2 ** 60), /amount \(uint256\): .*beyond 2\^53/],
		['too small a unit', amount('1.5 wei'), /1 decimal place$/],
		['a wrong mode', { ...amount('1'), argumentsMode: 'x' }, /Arguments Mode: "x"/],
	])('with %s are refused before anything is sent', async (_name, parameters, message) => {
		const { error } = await run('read', parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(/Item 0$/);
		expect(await service.faults.requests()).toEqual([]);
	});
});

describe('the answer', () => {
	test('of named returns has their names', async () => {
		const abi =
			'summary() view returns (uint256 count, string memory name, bool open, address self)';
		const { items } = await run('read', { abi });
		expect(items[0]?.json).toEqual({
			value: { count: '3', name: 'Shapes', open: true, self: service.contracts.shapes },
			status: 'SUCCESS',
			explorerUrl: expect.stringContaining(service.contracts.shapes),
		});
	});

	test('is scaled exactly when that is asked for', async () => {
		const parameters = { ...json(['-1500001']), options: { decimals: 6 } };
		const abi = 'echoInt(int256) view returns (int256)';
		expect(await valueOf({ ...parameters, abi })).toBe('-1.500001');
		const { error } = await run('read', { ...parameters, abi: 'echoInt(int256)' });
		expect(error?.message).toMatch(/Scale by Decimals: .*no return types/);
	});
});
