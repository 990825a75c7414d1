/** Contract Value, in n8n's poll context, against the reference service and its chain. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Scheduling } from './support/poller.mts';
import { NELLY, NEWCOMER, RAHUL, useTriggerService } from './support/trigger-service.mts';

const { call, idOf, mint, poller, service } = useTriggerService();

const shapes = (): string => service().contracts.shapes;

const watch = (parameters: INodeParameters = {}): INodeParameters => ({
	...{ event: 'contractValue', contractAddress: shapes(), functionSource: 'signature' },
	...{ abi: 'stored() view returns (uint256)', ...parameters },
});

const atLeast = (value: string, parameters: INodeParameters = {}): INodeParameters =>
	watch({ valueCondition: 'atLeast', conditionValue: value, ...parameters });

/** Changes the value that the contract returns. */
const store = async (value: number) => await call(NELLY, shapes(), 'store(uint256)', String(value));

beforeEach(async () => await store(5));

test('a change states both values and their difference', async () => {
	const trigger = poller(watch({ options: { decimals: 1, maxTries: 1 } }));
	expect(await trigger.poll()).toBeUndefined();
	expect(await trigger.poll()).toBeUndefined();
	await store(12);
	expect(await trigger.poll()).toEqual([
		{
			...{ value: '1.2', previous: '0.5', difference: '0.7', direction: 'increased' },
			...{ function: 'stored()', args: [], contractAddress: shapes() },
			explorerUrl: expect.stringContaining(shapes()),
		},
	]);
	expect(await trigger.poll()).toBeUndefined();
	// A change that is undone between two polls is not seen.
	await store(7);
	await store(12);
	expect(await trigger.poll()).toBeUndefined();
	await store(3);
	expect(await trigger.poll()).toMatchObject([{ previous: '1.2', direction: 'decreased' }]);
});

test('text, several values and a common function are watched the same way', async () => {
	const setLabel = 'setLabel(string)';
	await call(NELLY, shapes(), setLabel, 'open');
	const label = poller(watch({ abi: 'label() view returns (string text)' }));
	const summary = 'summary() view returns (uint256 count, string name, bool open, address self)';
	const all = poller(watch({ abi: summary, options: { emitExisting: true } }));
	const balance = poller({
		...{ event: 'contractValue', contractAddress: service().contracts.usd },
		arguments: { mappingMode: 'defineBelow', value: { 'owner (address)': idOf(RAHUL) } },
		options: { decimals: 6 },
	});
	expect(await label.poll()).toBeUndefined();
	expect(await balance.poll()).toBeUndefined();
	expect(await all.poll()).toMatchObject([
		{ value: { count: '3', name: 'Shapes', open: true, self: shapes() }, previous: 'not known' },
	]);
	await call(NELLY, shapes(), setLabel, 'Open');
	await mint(RAHUL, '2500000');
	const texts = await label.poll();
	expect(texts).toMatchObject([{ value: { text: 'Open' }, previous: { text: 'open' } }]);
	expect(texts?.[0]).not.toHaveProperty('difference');
	expect(texts?.[0]).not.toHaveProperty('direction');
	expect(await all.poll()).toBeUndefined();
	expect(await balance.poll()).toMatchObject([
		{
			...{ difference: '2.5', args: [service().user(RAHUL).address] },
			resolvedAddresses: { [idOf(RAHUL)]: service().user(RAHUL).address },
		},
	]);
});

test.each<Scheduling>(['in memory', 'in static data', 'in a cursor'])(
	'a condition returns an item each time it begins to be met: the state %s',
	async (scheduling) => {
		const trigger = poller(atLeast('10'), { scheduling });
		await trigger.poll();
		const items: IDataObject[] = [];
		for (const value of [10, 11, 30, 9, 1, 12, 12, 9, 20]) {
			await store(value);
			items.push(...((await trigger.poll()) ?? []));
		}
		const met = { condition: 'atLeast', comparedWith: '10' };
		expect(items).toMatchObject(['10', '12', '20'].map((value) => ({ value, ...met })));
	},
);

test('whole tokens use the decimals of the contract, and an address may be a user', async () => {
	const { usd } = service().contracts;
	const balance: INodeParameters = {
		...{ contractAddress: usd, abi: 'balanceOf(address owner) view returns (uint256)' },
		arguments: { mappingMode: 'defineBelow', value: { 'owner (address)': idOf(NEWCOMER) } },
	};
	const trigger = poller(atLeast('0.5 SUSD', balance));
	expect(await trigger.poll()).toBeUndefined();
	await mint(NEWCOMER, '499999');
	expect(await trigger.poll()).toBeUndefined();
	await mint(NEWCOMER, '1');
	expect(await trigger.poll()).toMatchObject([{ value: '500000', difference: '1' }]);
	const echo = poller(
		watch({
			...{ abi: 'echoAddress(address) view returns (address)', argumentsMode: 'json' },
			...{ args: JSON.stringify([service().user(RAHUL).address.toLowerCase()]) },
			...{ valueCondition: 'is', conditionValue: idOf(RAHUL), options: { emitExisting: true } },
		}),
	);
	expect(await echo.poll()).toMatchObject([{ value: service().user(RAHUL).address }]);
});

describe('the saved state', () => {
	const stateAfter = async (parameters: INodeParameters) => {
		const trigger = poller(parameters);
		await trigger.poll();
		return trigger.staticData;
	};

	test('is kept after a restart, also if the same parameters are written differently', async () => {
		const staticData = await stateAfter(watch());
		await store(6);
		const contractAddress = shapes().toLowerCase();
		const abi = 'function stored() external view returns (uint)';
		const trigger = poller(watch({ contractAddress, abi }), { staticData });
		expect(await trigger.poll()).toMatchObject([{ value: '6', previous: '5' }]);
	});

	test.each<[string, INodeParameters]>([
		['another function', { abi: 'received() view returns (uint256)' }],
		['another condition', { valueCondition: 'atMost', conditionValue: '10' }],
		['another value', { valueCondition: 'atLeast', conditionValue: '6' }],
		['another argument', { abi: 'stored(uint256) view returns (uint256)', args: '["6"]' }],
	])('is discarded for %s', async (_name, parameters) => {
		const argumentsMode = 'json';
		const staticData = await stateAfter(atLeast('7', { argumentsMode }));
		await store(6);
		const trigger = poller(atLeast('7', { argumentsMode, ...parameters }), { staticData });
		expect(await trigger.poll()).toBeUndefined();
		expect(trigger.staticData).not.toEqual(staticData);
	});

	test('is discarded if it is unreadable or of another type', async () => {
		const staticData = await stateAfter(watch());
		await store(6);
		const stored = JSON.stringify(staticData);
		expect(stored).toContain('"answer":"5"');
		for (const answer of ['"none"', '{}', 'null']) {
			const broken = JSON.parse(stored.replace('"answer":"5"', `"answer":${answer}`));
			expect(await poller(watch(), { staticData: broken }).poll()).toBeUndefined();
		}
	});
});
