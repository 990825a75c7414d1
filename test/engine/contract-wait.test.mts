/** Wait Until of Contract: Read, in both ways in which n8n runs the node, and in tools: conditions, refusals, failures. */
import { failed, json } from './support/answers.mts';
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

const MET = {
	met: true,
	status: 'SUCCESS',
	explorerUrl: 'http://127.0.0.1/contract',
	checkedAt: expect.any(String),
};

const big = (hex: string) => ({ type: 'BigNumber', hex });

test('it reads until the condition is met, and outputs the length of the wait', async () => {
	node.service.values = { '': ['5', big('0x06'), 7] };
	expect(await node.outputs(read(SUPPLY, { condition: 'atLeast', conditionValue: '7' }))).toEqual([
		{ ...MET, value: '7', checkedFor: waited(5) },
	]);
	expect(node.service.valuesRead).toHaveLength(6);
});

test.each([
	['is', '7', 'is not "7"'],
	['isNot', '5', 'equals "5"'],
])('%s %s is not met: an item or an error', async (condition, conditionValue, words) => {
	node.service.values = { '': ['5'] };
	const until = { condition, conditionValue, waitUpTo: 1 };
	const [item] = await node.outputs(read(SUPPLY, until));
	expect(item).toMatchObject({ met: false, value: '5', checkedFor: waited(1) });
	const { error } = await node.run(read(SUPPLY, { ...until, waitUpTo: 0, whenNotMet: 'fail' }));
	expect(error?.message).toBe(`totalSupply() returned "5", which ${words} (checked for 0 s)`);
	expect(error).toMatchObject({ context: { details: { code: 'not-met', itemIndex: 0 } } });
});

test('any change of any value counts, however the values are written', async () => {
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

const SCALED = { decimals: 6 };

// Random integers are compared in test/unit/contract/comparison.
test.each<[abi: string, unknown, condition: string, unknown, met: boolean, options?: object]>([
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
	[LEVEL, '12500000', 'atLeast', '12.5', true, SCALED],
	[LEVEL, '12500000', 'atLeast', '12.500001', false, SCALED],
	[LEVEL, '12500000', 'atLeast', '12.5 token', true, SCALED],
	[LEVEL, '12500000', 'atLeast', '12500000', false, SCALED],
])('%s: %j %s %j is %j', async (...[abi, value, condition, operand, met, options]) => {
	node.service.values = { '': [value] };
	const until = { condition, conditionValue: '={{ $json.operand }}', waitUpTo: 0 };
	const [item] = await node.outputs(read(abi, until, options), [{ operand: operand as string }]);
	expect(item).toMatchObject({ met, checkedFor: 0 });
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
		functionSource: 'commonFunction',
		readFunction,
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
	// No item's condition is met before every item has been read once.
	node.service.script = () => valueOf(node.service.requests.length < items.length ? '0' : '1');
	const until = { condition: 'is', conditionValue: '1', waitUpTo: 30 };
	const parameters = read(BALANCE, until, { concurrency: 1 }, OF_ITEM);
	const { items: output, error } = await node.run(parameters, { items });
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => json.met)).toEqual(items.map(() => true));
});

const CONDITION = 'Condition';

test.each<[abi: string, until: object, parameter: string, options?: object]>([
	[SUPPLY, {}, 'Value'],
	[SUPPLY, { conditionValue: ' ' }, 'Value'],
	[SUPPLY, { conditionValue: '={{ $json.nothing }}' }, 'Value'],
	[SUPPLY, { conditionValue: 'many' }, 'Value (uint256)'],
	[SUPPLY, { conditionValue: '12.5 ether' }, 'Value (uint256)'],
	[SUPPLY, { conditionValue: '1.0000001' }, 'Value (uint256)', { decimals: 6 }],
	[OWNER, { conditionValue: '0x12' }, 'Value (address)'],
	[SUPPLY, { condition: 'greater', conditionValue: '5' }, CONDITION],
	[OWNER, { condition: 'atLeast', conditionValue: ALICE.address }, CONDITION],
	['totalSupply() view', { conditionValue: '5' }, CONDITION],
	['totalSupply() view', { condition: 'changed' }, CONDITION],
	['f() view returns (uint256, bool)', { conditionValue: '5' }, CONDITION],
	['f() view returns (uint256[])', { conditionValue: '5' }, CONDITION],
	['f() view returns ((uint256 a))', { conditionValue: '5' }, CONDITION],
	[SUPPLY, { conditionValue: '5', waitUpTo: 301 }, 'Wait Up To (Seconds)'],
	[SUPPLY, { condition: 'changed', waitUpTo: 0 }, 'Wait Up To (Seconds)'],
	[SUPPLY, { conditionValue: '5', whenNotMet: 'stop' }, 'When Not Met'],
])('%s with %j is refused before the value is read', async (abi, until, name, options = {}) => {
	node.service.values = { '': ['5'] };
	const parameter = `Options: Wait Until: ${name}`;
	const { error } = await node.run(read(abi, until, options));
	expect(error?.message).toContain(parameter);
	const details = { code: 'invalid-input', itemIndex: 0, parameter };
	expect(error).toMatchObject({ context: { details } });
	expect(node.service.valuesRead).toEqual([]);
});

// All other values that do not match are tested in test/unit/contract/decode.
test.each([null, '-1'])('%j in place of a uint256 is not a change', async (value) => {
	node.service.values = { '': ['5', value] };
	const { error } = await node.run(read(SUPPLY, { condition: 'changed', waitUpTo: 10 }));
	expect(error?.message).toMatch(/^The answer does not match the return/);
	expect(error?.context).toMatchObject({ details: { code: 'unreadable-answer' } });
});

const BUSY = { ...json({}, 429), headers: { 'retry-after': '0' } };

test.each([
	['that reverts ends the wait', failed('execution reverted'), 1, /execution reverted/],
	['that is rate-limited ends it', BUSY, 1, /too many/i],
	['that is rate-limited is repeated', BUSY, 2, undefined],
])('a read %s', async (_what, unwell, maxTries, message) => {
	const answers = [valueOf('5'), unwell];
	node.service.script = () => answers.shift() ?? valueOf('7');
	const until = { conditionValue: '7', waitUpTo: 30 };
	const { items, error } = await node.run(read(SUPPLY, until, { maxTries }));
	if (message === undefined) expect(items).toMatchObject([{ json: { met: true, value: '7' } }]);
	else expect(error?.message).toMatch(message);
});

test('one failed item ends the run, whose error names it', async () => {
	node.service.values = { 1: ['0'], 2: ['none'] };
	const until = { conditionValue: '1', waitUpTo: 300 };
	const items = ['1', '1', '2'].map((id) => ({ id }));
	const { error } = await node.run(read(BALANCE, until, {}, OF_ITEM), { items });
	const details = { itemIndex: 2, code: 'unreadable-answer' };
	expect(error).toMatchObject({ context: { details } });
});

test('without Simplify, the answer of the service is added unchanged', async () => {
	const { service } = node;
	service.values = { '': [{ type: 'BigNumber', hex: '0x07' }] };
	const until = { conditionValue: '7', waitUpTo: 0 };
	const parameters = read(SUPPLY, until, {}, { simplify: false });
	expect(await node.outputs(parameters)).toEqual([
		{ ...MET, response: big('0x07'), checkedFor: 0 },
	]);
	const own = { met: true, checkedFor: 9, checkedAt: 'never', status: 'SUCCESS', response: 5 };
	service.script = () => json(own);
	const { items } = await node.run(parameters);
	expect(items[0]?.json).toMatchObject({ met: false, checkedFor: 0 });
	expect(items[0]?.json.checkedAt).not.toBe('never');
});

test.each([
	['Retry on Fail', { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 }, 4],
	['the error output', { onError: 'continueErrorOutput' }, 2],
] as const)('%s: an unchanged value is an error', async (_name, settings, reads) => {
	// The second run sees a different value from the first run, but the same value on each of its own checks.
	node.service.values = { '': ['5', '5', '7'] };
	const until = { condition: 'changed', waitUpTo: 0.5, whenNotMet: 'fail' };
	const { error, errorItems } = await node.run(read(SUPPLY, until), { node: settings });
	const value = reads === 4 ? 7 : 5;
	const unchanged = `returned "${value}", unchanged since the first check \\(checked for [1-5] s\\)$`;
	expect([error?.message ?? errorItems[0]?.json.error]).toEqual([expect.stringMatching(unchanged)]);
	expect(node.service.valuesRead).toHaveLength(reads);
});

test('a cancelled run stops waiting', async () => {
	const { promise: cancelWhen, resolve } = Promise.withResolvers<undefined>();
	node.service.values = { '': ['5'] };
	node.service.script = () => void resolve(undefined);
	const parameters = read(SUPPLY, { conditionValue: '7', waitUpTo: 300 });
	const { items } = await node.run(parameters, { cancelWhen });
	expect(items).toEqual([]);
	expect(node.service.valuesRead.length).toBeLessThan(3);
});

test('in a tool of an agent, the model decides the condition', async () => {
	node.service.values = { '': ['5', '7'] };
	const until = { condition: 'atLeast', conditionValue: "={{ $fromAI('least') }}", waitUpTo: 5 };
	const parameters = { ...read(SUPPLY, until), output: 'fields', fields: ['value'] };
	expect(await node.tool(parameters, { least: '6' })).toEqual({ met: true, value: '7' });
});
