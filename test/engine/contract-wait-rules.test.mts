/** Contract: Read with Wait Until: refusals, failures, and tools. */
import { failed, json } from './support/answers.mts';
import { readUntil as read } from './support/contract-calls.mts';
import { ALICE, valueOf } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const SUPPLY = 'totalSupply() view returns (uint256)';
const UNTYPED = 'totalSupply() view';
const OWNER = 'owner() view returns (address)';
const CONDITION = 'Condition';
const TIME = 'Wait Up To (Seconds)';

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
	[UNTYPED, { conditionValue: '5' }, CONDITION],
	[UNTYPED, { condition: 'changed' }, CONDITION],
	['f() view returns (uint256, bool)', { conditionValue: '5' }, CONDITION],
	['f() view returns (uint256[])', { conditionValue: '5' }, CONDITION],
	['f() view returns ((uint256 a))', { conditionValue: '5' }, CONDITION],
	[SUPPLY, { conditionValue: '5', waitUpTo: 301 }, TIME],
	[SUPPLY, { condition: 'changed', waitUpTo: 0 }, TIME],
	[SUPPLY, { conditionValue: '5', whenNotMet: 'stop' }, 'When Not Met'],
])('%s with %j is refused before the value is read', async (abi, until, name, options = {}) => {
	node.service.values = { '': ['5'] };
	const parameter = `Options: Wait Until: ${name}`;
	const { error } = await node.run(read(abi, until, options));
	expect(error).toMatchObject({
		message: expect.stringContaining(parameter),
		context: { details: { code: 'invalid-input', itemIndex: 0, parameter } },
	});
	expect(node.service.valuesRead).toEqual([]);
});

test.each([
	['nothing at all', null],
	['empty text', ''],
	['no digits', '0x'],
	['another type', true],
	['a number beyond the type', '-1'],
])('%s cannot be compared, and is not a change', async (_name, value) => {
	node.service.values = { '': ['5', value] };
	const { error } = await node.run(read(SUPPLY, { condition: 'changed', waitUpTo: 10 }));
	expect(error?.message).toMatch(/^The answer does not match the return/);
	expect(error?.context).toMatchObject({ details: { code: 'unreadable-answer' } });
});

const BUSY = { ...json({}, 429), headers: { 'retry-after': '0' } };

test.each([
	['that reverts ends the wait', failed('execution reverted'), 1, /execution reverted/],
	['of too many ends it', BUSY, 1, /too many/i],
	['of too many is repeated', BUSY, 2, undefined],
])('a read %s', async (_what, unwell, maxTries, message) => {
	const answers = [valueOf('5'), unwell];
	node.service.script = () => answers.shift() ?? valueOf('7');
	const until = { conditionValue: '7', waitUpTo: 30 };
	const { items, error } = await node.run(read(SUPPLY, until, { maxTries }));
	if (message === undefined) expect(items).toMatchObject([{ json: { met: true, value: '7' } }]);
	else expect(error?.message).toMatch(message);
});

test('one item that fails ends the run, which names it', async () => {
	node.service.values = { 1: ['0'], 2: ['none'] };
	const abi = 'balance(uint256) view returns (uint256)';
	const until = { conditionValue: '1', waitUpTo: 300 };
	const parameters = read(abi, until, {}, { args: '={{ [$json.id] }}' });
	const { error } = await node.run(parameters, { items: [{ id: '1' }, { id: '1' }, { id: '2' }] });
	expect(error).toMatchObject({
		context: { details: { itemIndex: 2, code: 'unreadable-answer' } },
	});
});

test('without Simplify, the answer of the service is added unchanged', async () => {
	const { service } = node;
	service.values = { '': [{ type: 'BigNumber', hex: '0x07' }] };
	const raw = (until: object) => ({
		...read(SUPPLY, { conditionValue: '7', ...until }),
		simplify: false,
	});
	expect(await node.outputs(raw({}))).toEqual([
		{
			...{ met: true, status: 'SUCCESS', explorerUrl: 'http://127.0.0.1/contract' },
			...{ response: { type: 'BigNumber', hex: '0x07' } },
			...{ checkedFor: 0, checkedAt: expect.any(String) },
		},
	]);
	const own = { met: true, checkedFor: 9, checkedAt: 'never', status: 'SUCCESS', response: 5 };
	service.script = () => json(own);
	const { items } = await node.run(raw({ waitUpTo: 0 }));
	expect(items[0]?.json).toMatchObject({ met: false, checkedFor: 0 });
	expect(items[0]?.json.checkedAt).not.toBe('never');
});

test.each([
	['Retry on Fail', { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 }, 4],
	['the error output', { onError: 'continueErrorOutput' }, 2],
] as const)('%s: an unchanged value is an error', async (_name, settings, reads) => {
	// The second run sees a different value than the first one, but the same at each of its checks.
	node.service.values = { '': ['5', '5', '7'] };
	const until = { condition: 'changed', waitUpTo: 0.5, whenNotMet: 'fail' };
	const { error, errorItems } = await node.run(read(SUPPLY, until), { node: settings });
	const value = reads === 4 ? 7 : 5;
	expect([error?.message ?? errorItems[0]?.json.error]).toEqual([
		`totalSupply() returned "${value}", unchanged since the first check (checked for 1 s)`,
	]);
	expect(node.service.valuesRead).toHaveLength(reads);
});

test('a cancelled run stops waiting', async () => {
	const { service } = node;
	service.values = { '': ['5'] };
	let hasLooked = (): void => undefined;
	const cancelWhen = new Promise<void>((resolve) => (hasLooked = resolve));
	service.script = () => void hasLooked();
	const parameters = read(SUPPLY, { conditionValue: '7', waitUpTo: 300 });
	const { items } = await node.run(parameters, { cancelWhen });
	expect(items).toEqual([]);
	expect(service.valuesRead.length).toBeLessThan(3);
});

test('as the tool of an agent, a model decides the condition', async () => {
	node.service.values = { '': ['5', '7'] };
	const until = { condition: 'atLeast', conditionValue: "={{ $fromAI('least') }}", waitUpTo: 5 };
	const parameters = { ...read(SUPPLY, until), output: 'fields', fields: ['value'] };
	expect(await node.tool(parameters, { least: '6' })).toEqual({ met: true, value: '7' });
});
