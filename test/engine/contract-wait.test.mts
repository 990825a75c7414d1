/** Contract: Read with Wait Until, in both ways in which n8n runs the node. */
import { readUntil as read } from './support/contract-calls.mts';
import { ALICE, valueOf } from './support/scripted-world.mts';
import { useNode, waited } from './support/use-node.mts';

const node = useNode();

const SUPPLY = 'totalSupply() view returns (uint256)';
const LEVEL = 'level() view returns (int256)';
const NAME = 'name() view returns (string name)';
const OWNER = 'owner() view returns (address)';
const OPEN = 'open() view returns (bool)';
const BALANCE = 'balance(uint256) view returns (uint256)';
const OF_ITEM = { args: '={{ [$json.id] }}' };

const big = (hex: string) => ({ type: 'BigNumber', hex });

test('it reads until the condition is met, and states for how long', async () => {
	node.service.values = { '': ['5', big('0x06'), 7] };
	expect(await node.outputs(read(SUPPLY, { condition: 'atLeast', conditionValue: '7' }))).toEqual([
		{
			...{ met: true, value: '7', status: 'SUCCESS', explorerUrl: 'http://127.0.0.1/contract' },
			...{ checkedFor: waited(5), checkedAt: expect.any(String) },
		},
	]);
	expect(node.service.valuesRead).toHaveLength(6);
});

test('a condition that is not met in time is an item with met false, or an error', async () => {
	node.service.values = { '': ['5'] };
	const until = { condition: 'is', conditionValue: '7', waitUpTo: 1 };
	expect(await node.outputs(read(SUPPLY, until))).toMatchObject([
		{ met: false, value: '5', checkedFor: waited(1) },
	]);
	const { error } = await node.run(read(SUPPLY, { ...until, waitUpTo: 0, whenNotMet: 'fail' }));
	expect(error).toMatchObject({
		message: 'totalSupply() returned "5", which is not "7" (checked for 0 s)',
		context: { details: { code: 'not-met', itemIndex: 0 } },
	});
});

test('any change counts, of several values too, however they are written', async () => {
	const points = 'points() view returns ((address who, uint256 count)[] all, bytes data)';
	const [low, high] = [`0x${'ab'.repeat(20)}`, `0x${'AB'.repeat(20)}`];
	node.service.values = {
		'': [
			[[[low, 1]], '0xab'],
			{ all: [{ who: high, count: '0x1' }], data: '0xAB' },
			[[[low, 2]], '0xab'],
		],
	};
	expect(await node.outputs(read(points, { condition: 'changed', waitUpTo: 20 }))).toMatchObject([
		{ met: true, value: { all: [{ who: low, count: '2' }], data: '0xab' }, checkedFor: waited(5) },
	]);
});

// Integers are compared at random in test/unit/contract/comparison.
test.each<[abi: string, value: unknown, condition: string, operand: unknown, met: boolean]>([
	[LEVEL, '-5', 'atMost', '-5', true],
	[LEVEL, big('-0x05'), 'atLeast', '-4', false],
	[SUPPLY, '12500000', 'is', '12.5 token', true],
	[OPEN, true, 'is', 'true', true],
	[OPEN, true, 'is', true, true],
	[OPEN, false, 'isNot', 'true', true],
	[NAME, 'Ann', 'is', 'Ann', true],
	[NAME, 'Ann', 'is', 'ann', false],
	[NAME, 'Ann', 'is', 'Ann ', false],
	[NAME, '', 'isNot', 'Ann', true],
	[NAME, `0x${'AB'.repeat(20)}`, 'is', `0x${'ab'.repeat(20)}`, false],
	[OWNER, `0x${'AB'.repeat(20)}`, 'is', `0x${'ab'.repeat(20)}`, true],
	[OWNER, `0x${'AB'.repeat(20)}`, 'isNot', `0x${'ab'.repeat(20)}`, false],
	[OWNER, ALICE.address, 'is', ALICE.id, true],
	['data() view returns (bytes)', '0x', 'is', '0x', true],
	['data() view returns (bytes4)', '0xABcdef01', 'is', '0xabCDEF01', true],
])('%s: %j %s %j is %j', async (abi, value, condition, operand, met) => {
	node.service.values = { '': [value] };
	const until = { condition, conditionValue: '={{ $json.operand }}', waitUpTo: 0 };
	const [item] = await node.outputs(read(abi, until), [{ operand: operand as string }]);
	expect(item).toMatchObject({ met, checkedFor: 0 });
});

test.each([
	['12.5', true],
	['12.500001', false],
	['12.5 token', true],
	['12500000', false],
])('with Scale by Decimals, 12.5 of the output is at least %s: %s', async (operand, met) => {
	node.service.values = { '': ['12500000'] };
	const until = { condition: 'atLeast', conditionValue: operand, waitUpTo: 0 };
	expect(await node.outputs(read(LEVEL, until, { decimals: 6 }))).toMatchObject([
		{ met, value: '12.5' },
	]);
});

test.each<[source: string, value: string, met: boolean | 'refused']>([
	['ERC-20 totalSupply()', '5', 'refused'],
	['ERC-20 totalSupply()', '5 base', true],
	['ERC-20 totalSupply()', '5 token', false],
	['ERC-20 totalSupply()', '0', true],
	['ERC-20 decimals()', '5', true],
	['ERC-721 balanceOf(address)', '5', true],
])('%s, at least %s: %s', async (readFunction, conditionValue, met) => {
	node.service.values = { '': ['5'], [ALICE.address]: ['5'] };
	if (readFunction.includes('decimals')) node.service.facts = { decimals: 5 };
	const { items, error } = await node.run({
		...read('', { condition: 'atLeast', conditionValue, waitUpTo: 0 }),
		...{ functionSource: 'commonFunction', readFunction },
		args: readFunction.endsWith('(address)') ? `["${ALICE.address}"]` : '[]',
	});
	const details = { code: 'invalid-input', parameter: 'Options: Wait Until: Value (uint256)' };
	if (met === 'refused') expect(error).toMatchObject({ context: { details } });
	else expect(items).toMatchObject([{ json: { met } }]);
});

test('each item has its own condition, value and time', async () => {
	node.service.values = { 1: ['1'], 2: ['0', '2'], 3: ['1', '1', '3'] };
	const [condition, conditionValue, waitUpTo] = ['condition', 'value', 'time'].map(
		(name) => `={{ $json.${name} }}`,
	);
	const items = [
		{ id: '1', condition: 'is', value: '2', time: 1 },
		{ id: '2', condition: 'isNot', value: '0', time: 5 },
		{ id: '3', condition: 'atLeast', value: '3', time: '20' },
	];
	const parameters = read(BALANCE, { condition, conditionValue, waitUpTo }, {}, OF_ITEM);
	const { items: output } = await node.run(parameters, { items });
	expect(output.map(({ json, pairedItem }) => [json.met, json.checkedFor, pairedItem])).toEqual([
		[false, waited(1), { item: 0 }],
		[true, waited(2), { item: 1 }],
		[true, waited(5), { item: 2 }],
	]);
});

test('an item that waits does not block others', async () => {
	const items = Array.from({ length: 230 }, (_, index) => ({ id: String(index) }));
	// No item's condition is met before all have been read once.
	node.service.script = () => valueOf(node.service.requests.length < items.length ? '0' : '1');
	const until = { condition: 'is', conditionValue: '1', waitUpTo: 30 };
	const parameters = read(BALANCE, until, { concurrency: 1 }, OF_ITEM);
	const { items: output, error } = await node.run(parameters, { items });
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => json.met)).toEqual(items.map(() => true));
});
