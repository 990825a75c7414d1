/** Contract calls as people author them: parameters reach the chain as intended, and a preview shows the exact request. */
import { Interface } from 'ethers';

import { useService } from '../support/sandbox/service.mts';
import { storeCall } from './support/contract-calls.mts';
import type { RunSettings } from './support/use-node.mts';
import { useNode } from './support/use-node.mts';

const node = useNode(useService());

const requests = async () => await node.service.faults.requests();

const callOf = (operation: string, more: object) =>
	storeCall(node.service.contracts.shapes, { operation, ...more });

/** The item of a call, which is asserted to succeed. */
async function itemOf(operation: string, more: object, settings?: RunSettings) {
	const [item = {}] = await node.items(callOf(operation, more), settings);
	return item;
}

const fields = (value: object) => ({ arguments: { mappingMode: 'defineBelow', value } });
const json = (args: unknown) => ({ args: JSON.stringify(args) });
const ofAbi = (contractAbi: string, contractFunction: string) => ({
	functionSource: 'contractAbi',
	contractAbi,
	contractFunction,
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
	const { value } = await itemOf('read', { ...source, ...json(['7']) }, { items: [{ key }] });
	expect(value).toBe(key);
});

const GAS = ['@29000000', '@29000000 gas', '@ 29000000gas;'];

test.each(GAS)('the gas of a function may follow its signature: %s', async (gas) => {
	const abi = `function pick(uint256) pure returns (string) ${gas}`;
	const signature = { abi, ...json(['7']) };
	const ofList = { ...ofAbi(`${OVERLOADS[1]} ${gas}\n${abi}`, 'pick(uint256)'), ...json(['7']) };
	for (const call of [signature, ofList]) {
		expect(await itemOf('read', call)).toMatchObject({ value: 'pick(uint256)' });
	}
});

test('what is no gas is named in the error', async () => {
	const [error] = await node.refused(
		callOf('read', { abi: 'f() view @fast' }),
		'Function Signature',
	);
	expect(error?.message).toMatch(/At character 11, "fast": a whole number of gas is expected/);
	expect(error?.description).toMatch(/^Remove everything from the @ on/);
});

test.each(['Anna ', 'Anna: ', 'To Anna,\n'])(
	'an address behind %j is refused without the name, wherever an address is entered',
	async (name) => {
		const { address } = node.service.user();
		const named = `${name}${address}`;
		const abi = 'f(address who)';
		for (const [call, parameter] of [
			[callOf('write', { abi, ...json([named]) }), 'who (address)'],
			[storeCall(named), 'Contract Address'],
			[{ resource: 'balance', operation: 'token', token: named }, 'Token'],
		] as const) {
			for (const error of await node.refused(call, parameter)) {
				expect(error.message).toMatch(/contains text besides the address$/);
				expect(error.description).toMatch(/^Enter one address, without the name/);
			}
		}
	},
);

test.each(['pay() payable', 'store(uint256) nonpayable'])(
	'an answer of %s is read as view',
	async (abi) => {
		const [error] = await node.refused(callOf('read', { abi }), 'Function Signature');
		expect(error?.description).toMatch(
			/write view: name\(types\) view returns \(types\); to send it, /,
		);
	},
);

test.each([
	['read', 'view'],
	['write', 'nonpayable'],
])('of a function declared twice, %s calls the one that is %s', async (operation, mutability) => {
	const abi = 'summary() view returns (uint256 count)\nsummary() nonpayable';
	const call = { ...ofAbi(abi, 'summary'), ...json([]), preview: true };
	const [item] = await node.items(callOf(operation, call));
	expect(item).toMatchObject(
		mutability === 'view' ? { value: { count: '3' } } : { body: { abi: 'summary() public' } },
	);
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
	for (const error of await node.refused(callOf(operation, more), parameter)) {
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(/Item 1$/);
	}
});

describe('a preview', () => {
	const pay = { abi: 'pay() payable', ...json([]), options: { nativeCoin: '100 wei' } };
	const limited = (policy: object) => ({
		credential: { ...node.service.credential(), ...policy },
	});

	test('shows a write as it would be sent, and the service accepts it', async () => {
		const abi = 'function f(address who, uint256[] amounts) returns (bool)';
		const { service } = node;
		const { id, address } = service.user();
		const { shapes } = service.contracts;
		const args = json({ who: id, amounts: ['1 gwei', '2'] });
		const { url, body, ...rest } = await itemOf('write', { abi, ...args, preview: true });
		const calldata = new Interface([abi]).encodeFunctionData('f', [address, [1000000000n, 2n]]);
		expect(url).toBe(`${service.ready.baseUrl}/v1/contracts/method/write`);
		expect(body).toEqual({
			address: shapes,
			abi: 'f(address,uint256[]) public returns (bool)',
			args: [address, '["1000000000","2"]'],
		});
		expect(rest).toEqual({
			summary: `Would submit: f(…) of ${shapes.slice(0, 6)}…${shapes.slice(-4)}, on sandbox by Nelly. Nothing was sent.`,
			submitted: false,
			userId: id,
			network: 'sandbox',
			method: 'POST',
			function: 'f(address,uint256[])',
			selector: calldata.slice(0, 10),
			calldata,
			resolvedAddresses: { [id]: address },
		});
		expect((await requests()).map(({ method }) => method)).toEqual(['GET']);
		const { data } = await service.as('Nelly').post<unknown>(String(url), body);
		expect(data).toMatchObject({ status: 'SUCCESS', hash: expect.any(String) });
	});

	test('shows the native coin of a write, and spends nothing', async () => {
		const limit = limited({ maxValuePerExecution: '150 wei' });
		expect(await itemOf('write', { ...pay, preview: true }, limit)).toMatchObject({
			submitted: false,
			method: 'POST',
			calldata: '0x1b9265b8',
			body: { abi: 'pay() public payable', args: [], value: '100' },
		});
		expect(await requests()).toEqual([]);
		const sent = await itemOf('write', pay, limit);
		expect(sent).toMatchObject({ submitted: true });
		expect(sent).not.toHaveProperty('replayed');
	});

	test.each([
		['a refused value', { ...pay, options: { nativeCoin: '1.5 wei' } }, {}, 'invalid-input'],
		['a call that the policy forbids', pay, { maxValuePerCall: '99 wei' }, 'policy-refused'],
		['too many arguments', { ...pay, ...json(['1']) }, {}, 'invalid-input'],
	])('of %s is an error as well', async (_name, parameters, policy, code) => {
		const call = callOf('write', { ...parameters, preview: true });
		const { error } = await node.run(call, limited(policy));
		expect(error).toMatchObject({ context: { details: { code } } });
		expect(await requests()).toEqual([]);
	});
});
