/** Contract calls as people author them: parameters reach the chain as intended, and a preview shows the exact request. */
import { Interface, ZeroAddress } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import { useService } from '../support/sandbox/service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode(useService());

const requests = async () => await node.service.faults.requests();

const callOf = (operation: string, more: object): IDataObject => ({
	...{ resource: 'contract', operation, functionSource: 'signature' },
	...{ contractAddress: node.service.contracts.shapes, ...more },
});

/** Runs a call, asserts that it succeeds, and returns its item. */
async function itemOf(operation: string, more: object, item: IDataObject = {}) {
	const { items, error } = await node.run(callOf(operation, more), { items: [item] });
	expect(error).toBeUndefined();
	return items[0]?.json ?? {};
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
// Unreadable entries, and signatures with modifiers, are tested in test/unit/contract/source.
test.each([
	['chosen by its types', ofAbi(OVERLOADS.join('\n'), 'pick(uint256)')],
	['of an expression', ofAbi(JSON.stringify({ abi: OVERLOADS }), '={{ $json.key }}')],
])('the function %s is called', async (_name, source) => {
	const key = 'pick(uint256)';
	expect((await itemOf('read', { ...source, ...json(['7']) }, { key })).value).toBe(key);
});

const COIN = 'Options: Native Coin to Send Along';
const SCALE = 'Options: Scale by Decimals';
const ECHO = 'echoUint(uint256 amount)';
const coin = { options: { nativeCoin: '1' } };
const common = (writeFunction: string) => ({ functionSource: 'commonFunction', writeFunction });

test.each([
	['read', { abi: 'pay() payable' }, 'Function Signature', /a read cannot do/],
	['write', { abi: 'negative() pure' }, 'Function Signature', /declared pure.*only reads/],
	['write', { abi: 'store(uint256) nonpayable', ...coin }, COIN, /accepts no native/],
	['write', common('ERC-20 decimals()'), 'Common Function', /decimals\(\) is declared view/],
	['read', { functionSource: 'magic' }, 'Function Source', /"magic"/],
	['read', ofAbi(OVERLOADS.join('\n'), 'pick'), 'Function', /2 functions called "pick"/],
	['read', { abi: ECHO, options: { decimals: 6 } }, SCALE, /no return types/],
	// All other refusals of arguments are tested in test/unit/contract/arguments.
	['read', { abi: ECHO, ...fields({}), argumentsMode: 'fields' }, 'amount (uint256)', /missing/],
	['read', { abi: ECHO, argumentsMode: 'x' }, 'Arguments Mode', /"x"/],
])('a %s with %j is refused', async (operation, more, parameter, message) => {
	const call = callOf(operation, { ...json(['1']), ...more });
	for (const error of await node.refused(call, parameter)) {
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(/Item 0$/);
	}
});

test('arguments that are users become the addresses of their wallets, also nested', async () => {
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
});

test('the answer is scaled exactly on request', async () => {
	const scaled = { ...json(['-1500001']), options: { decimals: 6 } };
	const abi = 'echoInt(int256) view returns (int256)';
	expect((await itemOf('read', { ...scaled, abi })).value).toBe('-1.500001');
});

describe('a preview', () => {
	const pay = { abi: 'pay() payable', ...json([]), options: { nativeCoin: '100 wei' } };
	const write = async (more: object, policy: Record<string, string> = {}) => {
		const credential = { ...node.service.credential(), ...policy };
		return await node.run(callOf('write', more), { credential });
	};

	test('shows a write as it would be sent, and the service accepts it', async () => {
		const abi = 'function f(address who, uint256[] amounts) returns (bool)';
		const { service } = node;
		const { id, address } = service.user();
		const { shapes } = service.contracts;
		const args = json({ who: id, amounts: ['1 gwei', '2'] });
		const { items, error } = await write({ abi, ...args, preview: true });
		expect(error).toBeUndefined();
		const encoded = new Interface([abi]).encodeFunctionData('f', [address, [1000000000n, 2n]]);
		const { url, body, ...rest } = items[0]?.json ?? {};
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		expect(url).toBe(`${service.ready.baseUrl}/v1/contracts/method/write`);
		expect(body).toEqual({
			address: shapes,
			abi: 'f(address,uint256[]) public returns (bool)',
			args: [address, '["1000000000","2"]'],
		});
		expect(rest).toEqual({
			summary: `Would submit: f(…) of ${shapes.slice(0, 6)}…${shapes.slice(-4)}. Nothing was sent.`,
			...{ submitted: false, method: 'POST', function: 'f(address,uint256[])' },
			...{
				selector: encoded.slice(0, 10),
				calldata: encoded,
				resolvedAddresses: { [id]: address },
			},
		});
		expect((await requests()).map(({ method }) => method)).toEqual(['GET']);
		const { data } = await service.as('Nelly').post<unknown>(String(url), body);
		expect(data).toMatchObject({ status: 'SUCCESS', hash: expect.any(String) });
	});

	test('shows the native coin of a write, and spends nothing', async () => {
		const policy = { maxValuePerExecution: '150 wei' };
		const { items } = await write({ ...pay, preview: true }, policy);
		expect(items[0]?.json).toMatchObject({
			...{ submitted: false, method: 'POST', calldata: '0x1b9265b8' },
			body: { abi: 'pay() public payable', args: [], value: '100' },
		});
		expect(await requests()).toEqual([]);
		const { items: sent } = await write(pay, policy);
		expect(sent[0]?.json).toMatchObject({ submitted: true });
		expect(sent[0]?.json).not.toHaveProperty('replayed');
	});

	test.each([
		['a refused value', { ...pay, options: { nativeCoin: '1.5 wei' } }, {}, 'invalid-input'],
		['a call that the policy forbids', pay, { maxValuePerCall: '99 wei' }, 'policy-refused'],
		['too many arguments', { ...pay, ...json(['1']) }, {}, 'invalid-input'],
	])('of %s is an error as well', async (_name, parameters, policy, code) => {
		const { error } = await write({ ...parameters, preview: true }, policy);
		expect(error).toMatchObject({ context: { details: { code } } });
		expect(await requests()).toEqual([]);
	});
});
