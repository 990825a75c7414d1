/** Contract: Read with Wait Until: what is refused, what fails, and where else n8n runs it. */
import type { INodeParameters } from 'n8n-workflow';

import { EphemeralCalls } from './support/ephemeral-calls.mts';
import { OWNER, readUntil as read, valueAnswer, ValueService } from './support/value-service.mts';
import { useResources } from '../support/resources.mts';

let service: ValueService;

const resources = useResources();
beforeAll(async () => {
	service = await resources.use(ValueService.start());
});
beforeEach(() => service.reset());

const supply = 'totalSupply() view returns (uint256)';
const owner = 'owner() view returns (address)';

test.each<[abi: string, until: INodeParameters, message: RegExp]>([
	[supply, {}, /^Options: Wait Until: Value: Nothing is given to compare with$/],
	[supply, { conditionValue: ' ' }, /Wait Until: Value: Nothing is given/],
	[
		supply,
		{ condition: 'greater', conditionValue: '5' },
		/^Options: Wait Until: Condition: "greater" is none of the choices$/,
	],
	[
		supply,
		{ conditionValue: '={{ $json.nothing }}' },
		/^Options: Wait Until: Value: The expression/,
	],
	[supply, { conditionValue: 'many' }, /^Options: Wait Until: Value \(uint256\): "many" is not/],
	[supply, { conditionValue: '12.5' }, /"12.5" has a decimal point but no unit/],
	[supply, { conditionValue: '12.5 ether' }, /is an amount of the native coin/],
	[supply, { conditionValue: '12.5 SGLD' }, /is of another token/],
	[supply, { conditionValue: '1,5' }, /"1,5" has a comma/],
	[supply, { conditionValue: -1 }, /is below the range of uint256/],
	[supply, { conditionValue: '={{ 2 ** 60 }}' }, /already lost its last digits/],
	[
		owner,
		{ condition: 'atLeast', conditionValue: OWNER.address },
		/^Options: Wait Until: Condition: The function returns address, which is no number/,
	],
	[owner, { conditionValue: '0x12' }, /Value \(address\): The address "0x12" has 2 hexadecimal/],
	['open() view returns (bool)', { conditionValue: 'yes' }, /"yes" is not a boolean/],
	['data() view returns (bytes2)', { conditionValue: '0x123' }, /odd number/],
	['totalSupply() view', { conditionValue: '5' }, /Condition: totalSupply\(\) declares no return/],
	['totalSupply() view', { condition: 'changed' }, /Condition: totalSupply\(\) declares no return/],
	['f() view returns (uint256, bool)', { conditionValue: '5' }, /f\(\) returns 2 values/],
	['f() view returns (uint256[])', { conditionValue: '5' }, /f\(\) returns a list or a tuple/],
	['f() view returns ((uint256 a))', { conditionValue: '5' }, /f\(\) returns a list or a tuple/],
	[
		supply,
		{ conditionValue: '5', waitUpTo: 301 },
		/^Options: Wait Until: Wait Up To \(Seconds\): 301 is no number of seconds from 0 to 300/,
	],
	[supply, { condition: 'changed', waitUpTo: 0 }, /One look alone cannot differ from the first/],
	[
		supply,
		{ conditionValue: '5', whenNotMet: 'stop' },
		/^Options: Wait Until: When Not Met: "stop" is none/,
	],
])('%s with %j is refused before the value is read', async (abi, until, message) => {
	service.values = { '': ['5'] };
	const { error } = await service.run(read(abi, until));
	expect(error?.message).toMatch(message);
	expect(error?.context).toMatchObject({ details: { code: 'invalid-input', itemIndex: 0 } });
	expect(service.asked).toEqual([]);
});

test.each<[source: string, value: string, met: boolean | RegExp]>([
	['ERC-20 totalSupply()', '5', /counts tokens or base units$/],
	['ERC-20 totalSupply()', '5 base', true],
	['ERC-20 totalSupply()', '5 token', false],
	['ERC-20 totalSupply()', '0', true],
	['ERC-20 decimals()', '5', true],
	['ERC-721 balanceOf(address)', '5', true],
])('%s, at least %s: %s', async (readFunction, conditionValue, met) => {
	service.values = { '': ['5'], [OWNER.address]: ['5'] };
	const { items, error } = await service.run({
		...read('', { condition: 'atLeast', conditionValue, waitUpTo: 0 }),
		...{ functionSource: 'commonFunction', readFunction },
		args: readFunction.endsWith('(address)') ? `["${OWNER.address}"]` : '[]',
	});
	if (typeof met === 'boolean') expect(items).toMatchObject([{ json: { met } }]);
	else expect(error?.message).toMatch(met);
});

test.each([
	['nothing at all', null],
	['an empty text', ''],
	['no digits', '0x'],
	['another type', true],
	['a number beyond the type', '-1'],
])('%s is no answer to compare, and no change', async (_name, value) => {
	service.values = { '': ['5', value] };
	const { error } = await service.run(read(supply, { condition: 'changed', waitUpTo: 10 }));
	expect(error?.message).toMatch(
		/^The answer cannot be compared, because it does not fit the return/,
	);
	expect(error?.context).toMatchObject({ details: { code: 'unreadable-answer' } });
});

test('a read that reverts ends the wait; one that is too many is made again', async () => {
	const failed = { body: JSON.stringify({ status: 'FAILED', error: 'execution reverted' }) };
	const busy = { status: 429, headers: { 'retry-after': '0' }, body: '{}' };
	for (const [unwell, options, message] of [
		[failed, {}, /execution reverted/],
		[busy, { maxTries: 1 }, /429|too many/i],
		[busy, { maxTries: 2 }, undefined],
	] as const) {
		service.reset();
		const answers = [valueAnswer('5'), unwell, valueAnswer('7')];
		service.script = () => answers.shift() ?? valueAnswer('7');
		const parameters = read(supply, { conditionValue: '7', waitUpTo: 30 }, options);
		const { items, error } = await service.run(parameters);
		if (message === undefined) expect(items).toMatchObject([{ json: { met: true, value: '7' } }]);
		else expect([error?.message, error?.description].join(' ')).toMatch(message);
	}
});

test('one item that fails ends the run, which names it', async () => {
	service.values = { 1: ['0'], 2: ['none'] };
	const parameters = read(
		'balance(uint256) view returns (uint256)',
		{ conditionValue: '1', waitUpTo: 300 },
		{},
		{ args: '={{ [$json.id] }}' },
	);
	const { error } = await service.run(parameters, [{ id: '1' }, { id: '1' }, { id: '2' }]);
	expect(error).toMatchObject({
		context: { details: { itemIndex: 2, code: 'unreadable-answer' } },
	});
});

test('without Simplify, the answer in the words of the service stands beside it', async () => {
	service.values = { '': [{ type: 'BigNumber', hex: '0x07' }] };
	const parameters = { ...read(supply, { conditionValue: '7' }), simplify: false };
	expect(await service.outputs(parameters)).toEqual([
		{
			...{ met: true, status: 'SUCCESS', explorerUrl: 'http://127.0.0.1/contract' },
			...{ response: { type: 'BigNumber', hex: '0x07' }, checkedFor: 0, checkedAt: 'string' },
		},
	]);
	const own = { met: true, checkedFor: 9, checkedAt: 'never', status: 'SUCCESS', response: 5 };
	service.script = () => ({ body: JSON.stringify(own) });
	const [item] = await service.outputs({
		...read(supply, { conditionValue: '7', waitUpTo: 0 }),
		simplify: false,
	});
	expect(item).toMatchObject({ met: false, checkedFor: 0 });
	expect(item?.checkedAt).not.toBe('never');
});

test('without the option, a read gives what it gave', async () => {
	service.values = { '': ['7'] };
	const parameters = { ...read(supply, {}), options: { decimals: 1 } };
	const { items } = await service.run(parameters);
	expect(items.map(({ json }) => json)).toEqual([
		{ value: '0.7', status: 'SUCCESS', explorerUrl: 'http://127.0.0.1/contract' },
	]);
	expect(service.asked).toHaveLength(1);
});

test('Retry on Fail looks afresh', async () => {
	// The second try sees another value than the first one, but the same at each of its own looks.
	service.values = { '': ['5', '5', '7'] };
	const until = { condition: 'changed', waitUpTo: 1, whenNotMet: 'fail' };
	const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
	const { error } = await service.run(read(supply, until), [{}], { node });
	expect(error?.message).toBe('totalSupply() gives "7", as at the first look (looked for 1 s)');
	expect(service.asked).toHaveLength(4);
});

test('the cancelled run waits no longer', async () => {
	service.values = { '': ['5'] };
	let hasLooked = (): void => undefined;
	const cancelWhen = new Promise<void>((resolve) => (hasLooked = resolve));
	service.script = (request) => {
		hasLooked();
		return service.answer(request);
	};
	const parameters = read(supply, { conditionValue: '7', waitUpTo: 300 });
	const { items } = await service.run(parameters, [{}], { cancelWhen });
	expect(items).toEqual([]);
	expect(service.asked.length).toBeLessThan(3);
});

test('as the tool of an agent, a model says what to wait for', async () => {
	service.values = { '': ['5', '7'] };
	const calls = await EphemeralCalls.create();
	const until = { condition: 'atLeast', conditionValue: "={{ $fromAI('least') }}", waitUpTo: 5 };
	const parameters = { ...read(supply, until), output: 'fields', fields: ['value'] };
	const type = 'n8n-nodes-wallet-service.walletServiceTool';
	const items = await calls.call(type, parameters, service.credential, { least: '6' });
	expect(items.map(({ json }) => json)).toEqual([{ met: true, value: '7' }]);
});
