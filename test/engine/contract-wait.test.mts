/** Contract: Read with Wait Until, in both ways in which n8n runs the node. */
import { OWNER, readUntil as read, valueAnswer, ValueService } from './support/value-service.mts';
import { useResources } from '../support/resources.mts';

let service: ValueService;

const resources = useResources();
beforeAll(async () => {
	service = await resources.use(ValueService.start());
});
beforeEach(() => service.reset());

const supply = 'totalSupply() view returns (uint256)';
const int = 'level() view returns (int256)';
const big = (hex: string) => ({ type: 'BigNumber', hex });

test('it reads until the condition is met, and says for how long', async () => {
	service.values = { '': ['5', big('0x06'), 7] };
	expect(
		await service.outputs(read(supply, { condition: 'atLeast', conditionValue: '7' })),
	).toEqual([
		{
			...{ met: true, value: '7', status: 'SUCCESS' },
			...{ explorerUrl: 'http://127.0.0.1/contract', checkedFor: 5, checkedAt: 'string' },
		},
	]);
	expect(service.asked).toHaveLength(6);
});

test('a condition that is not met in time is an item that says so, or an error', async () => {
	service.values = { '': ['5'] };
	const until = { condition: 'is', conditionValue: '7', waitUpTo: 1 };
	expect(await service.outputs(read(supply, until))).toMatchObject([
		{ met: false, value: '5', checkedFor: 1 },
	]);
	const { error } = await service.run(read(supply, { ...until, waitUpTo: 0, whenNotMet: 'fail' }));
	expect(error).toMatchObject({
		message: 'totalSupply() gives "5", which is not "7" (looked for 0 s)',
		context: { details: { code: 'not-met', itemIndex: 0 } },
	});
	const changed = { condition: 'changed', waitUpTo: 0.5, whenNotMet: 'fail' };
	const unchanged = await service.run(read(supply, changed), [{}], {
		node: { onError: 'continueErrorOutput' },
	});
	expect(unchanged.errorItems).toMatchObject([
		{ json: { error: 'totalSupply() gives "5", as at the first look (looked for 1 s)' } },
	]);
});

test('any change counts, of several values too, however they are written', async () => {
	const points = 'points() view returns ((address who, uint256 count)[] all, bytes data)';
	const [low, high] = [`0x${'ab'.repeat(20)}`, `0x${'AB'.repeat(20)}`];
	service.values = {
		'': [
			[[[low, 1]], '0xab'],
			{ all: [{ who: high, count: '0x1' }], data: '0xAB' },
			[[[low, 2]], '0xab'],
		],
	};
	expect(await service.outputs(read(points, { condition: 'changed', waitUpTo: 20 }))).toMatchObject(
		[{ met: true, value: { all: [{ who: low, count: '2' }], data: '0xab' }, checkedFor: 5 }],
	);
});

test.each<[abi: string, value: unknown, condition: string, operand: unknown, met: boolean]>([
	[int, '-5', 'atMost', '-5', true],
	[int, big('-0x05'), 'is', '-0x5', true],
	[int, '-5', 'atLeast', '-4', false],
	[
		int,
		'-57896044618658097711785492504343953926634992332820282019728792003956564819968',
		'atMost',
		0,
		true,
	],
	[
		supply,
		'115792089237316195423570985008687907853269984665640564039457584007913129639935',
		'atLeast',
		'115792089237316195423570985008687907853269984665640564039457584007913129639934',
		true,
	],
	[
		supply,
		'115792089237316195423570985008687907853269984665640564039457584007913129639934',
		'is',
		'115792089237316195423570985008687907853269984665640564039457584007913129639935',
		false,
	],
	[supply, '12500000', 'is', '12.5 token', true],
	[supply, '12500000', 'is', '12.5 SUSD', true],
	[supply, '12500001', 'atMost', '12.5 * 10^6', false],
	['price() view returns (uint256 wei_)', '1500000000000000000', 'is', '1.5 ether', true],
	['open() view returns (bool)', true, 'is', 'true', true],
	['open() view returns (bool)', true, 'is', true, true],
	['open() view returns (bool)', false, 'isNot', 'true', true],
	['name() view returns (string name)', 'Ann', 'is', 'ann', false],
	['name() view returns (string)', 'Ann', 'is', 'Ann', true],
	['name() view returns (string)', 'Ann', 'is', 'Ann ', false],
	['name() view returns (string)', '', 'isNot', 'Ann', true],
	['name() view returns (string)', `0x${'AB'.repeat(20)}`, 'is', `0x${'ab'.repeat(20)}`, false],
	['owner() view returns (address)', `0x${'AB'.repeat(20)}`, 'is', `0x${'ab'.repeat(20)}`, true],
	[
		'owner() view returns (address)',
		`0x${'AB'.repeat(20)}`,
		'isNot',
		`0x${'ab'.repeat(20)}`,
		false,
	],
	['owner() view returns (address)', OWNER.address, 'is', 'DISCORD-1', true],
	['data() view returns (bytes)', '0x', 'is', '0x', true],
	['data() view returns (bytes4)', '0xABcdef01', 'is', '0xabCDEF01', true],
])('%s: %j %s %j is %j', async (abi, value, condition, operand, met) => {
	service.values = { '': [value] };
	const until = { condition, conditionValue: '={{ $json.operand }}', waitUpTo: 0 };
	const [item] = await service.outputs(read(abi, until), [{ operand: operand as string }]);
	expect(item).toMatchObject({ met, checkedFor: 0 });
});

test('with Scale by Decimals, a number alone counts as the output does', async () => {
	service.values = { '': ['12500000'] };
	for (const [operand, met] of [
		['12.5', true],
		['12.500001', false],
		['-1', true],
		['12.5 token', true],
		['12500000', false],
		['12.5 * 10^6', true],
	] as const) {
		const condition = { condition: 'atLeast', conditionValue: operand, waitUpTo: 0 };
		const [item] = await service.outputs(
			read('level() view returns (int256)', condition, { decimals: 6 }),
		);
		expect(item).toMatchObject({ met, value: '12.5' });
	}
	const { error } = await service.run(
		read(supply, { conditionValue: '1.0000001' }, { decimals: 6 }),
	);
	expect(error?.message).toMatch(/Options: Wait Until: Value .* has 7 decimal places/);
});

test('each item has its own condition, value and time', async () => {
	service.values = { 1: ['1'], 2: ['0', '2'], 3: ['1', '1', '3'] };
	const parameters = read(
		'balance(uint256) view returns (uint256)',
		{
			condition: '={{ $json.condition }}',
			conditionValue: '={{ $json.value }}',
			waitUpTo: '={{ $json.time }}',
		},
		{},
		{ args: '={{ [$json.id] }}' },
	);
	const items = [
		{ id: '1', condition: 'is', value: '2', time: 1 },
		{ id: '2', condition: 'isNot', value: '0', time: 5 },
		{ id: '3', condition: 'atLeast', value: '3', time: '20' },
	];
	const { items: output } = await service.run(parameters, items);
	expect(output.map(({ json, pairedItem }) => [json.met, json.checkedFor, pairedItem])).toEqual([
		[false, 1, { item: 0 }],
		[true, 2, { item: 1 }],
		[true, 5, { item: 2 }],
	]);
});

test('an item that waits keeps no other one waiting', async () => {
	const count = 230;
	service.script = (request) => {
		service.answer(request);
		// Nobody is served before all have asked.
		return valueAnswer(service.asked.length < count ? '0' : '1');
	};
	const parameters = read(
		'balance(uint256) view returns (uint256)',
		{ condition: 'is', conditionValue: '1', waitUpTo: 30 },
		{ concurrency: 1 },
		{ args: '={{ [$json.id] }}' },
	);
	const items = Array.from({ length: count }, (_, index) => ({ id: String(index) }));
	const { items: output, error } = await service.run(parameters, items);
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => json.met)).toEqual(items.map(() => true));
});
