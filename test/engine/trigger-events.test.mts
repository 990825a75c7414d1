/** The items of the trigger's events, in n8n's poll context against the reference service and its chain. */
import { parseUnits, ZeroAddress } from 'ethers';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useTriggerService } from './support/trigger-service.mts';
import type { Username } from '../support/sandbox/service.mts';

const { idOf, mint, poller, service } = useTriggerService();

const transfers = (username: Username, more: INodeParameters = {}): INodeParameters => {
	return { event: 'newTransfer', userIds: idOf(username), ...more };
};

test('the first poll returns no items, later ones new transfers in simplified form', async () => {
	const trigger = poller(transfers('Nelly'));
	expect(await trigger.poll()).toBeUndefined();
	const hash = await mint('Nelly', '1500000');
	expect(await trigger.poll()).toEqual([
		{
			timestamp: expect.stringMatching(/Z$/),
			direction: 'received',
			amount: '1.5',
			symbol: 'SUSD',
			who: ZeroAddress,
			explorerUrl: expect.stringContaining(hash),
			toAddress: service().user('Nelly').address,
			tokenAddress: service().contracts.usd.toLowerCase(),
			hash,
			userId: idOf('Nelly'),
			gapPossible: false,
		},
	]);
	expect(await trigger.poll()).toBeUndefined();
});

test.each([true, '={{ "true" }}'])(
	'on request (%j), the first poll returns the existing transfers, oldest first',
	async (emitExisting) => {
		const items = await poller(transfers('Nelly', { options: { emitExisting } })).poll();
		const path = `/v1/users/${idOf('Nelly')}/history`;
		const { data } = await service().as('Nelly').get<IDataObject[]>(path);
		expect(items?.map(({ hash }) => hash)).toEqual(data.map(({ hash }) => hash).reverse());
	},
);

test('a filter has a direction, a token and an amount in whole tokens', async () => {
	const { usd: token } = service().contracts;
	const filter = { direction: 'received', token, minimumAmount: '2.5' };
	const trigger = poller(transfers('Nelly', filter));
	await trigger.poll();
	await mint('Nelly', '2499999');
	await mint('Nelly', '9000000', 'gold');
	const { address } = service().user('Rahul Sen');
	await service().submit('Nelly', 'usd', 'transfer(address,uint256)', [address, '3000000']);
	expect(await trigger.poll()).toBeUndefined();
	await mint('Nelly', '2500000');
	expect(await trigger.poll()).toMatchObject([{ amount: '2.5', direction: 'received' }]);
});

test('two identical transfers of one transaction are two items', async () => {
	const { usd, payouts } = service().contracts;
	const trigger = poller(transfers('anna-k'));
	await trigger.poll();
	await service().submit('Nelly', 'usd', 'approve(address,uint256)', [payouts, '20']);
	const pay = 'payTwice(address,address,uint256)';
	const { address } = service().user('anna-k');
	const hash = await service().submit('Nelly', 'payouts', pay, [usd, address, '10']);
	const items = await trigger.poll();
	expect(items?.map((item) => item.hash)).toEqual([hash, hash]);
	expect(items?.[0]).toEqual(items?.[1]);
	expect(await trigger.poll()).toBeUndefined();
});

test('Balance Changed states both balances and their difference', async () => {
	const asset = { asset: 'token', token: service().contracts.usd };
	const rules = { event: 'balanceChanged', minimumChange: '0.000005' };
	const trigger = poller(transfers('Nelly', { ...asset, ...rules }));
	expect(await trigger.poll()).toBeUndefined();
	await mint('Nelly', '4');
	expect(await trigger.poll()).toBeUndefined();
	await mint('Nelly', '2');
	const [item = {}, ...more] = (await trigger.poll()) ?? [];
	expect(more).toEqual([]);
	const moved = { difference: '0.000006', direction: 'increased' };
	expect(item).toMatchObject({ userId: idOf('Nelly'), symbol: 'SUSD', ...moved });
	const { previous, amount, baseUnits } = item;
	expect(parseUnits(String(amount), 6)).toBe(BigInt(String(baseUnits)));
	expect(parseUnits(String(amount), 6) - parseUnits(String(previous), 6)).toBe(6n);
	expect(Object.keys(item)).toEqual([
		...['userId', 'symbol', 'amount', 'previous', 'difference', 'direction'],
		...['name', 'baseUnits', 'decimals', 'tokenAddress', 'network', 'chainId'],
	]);
});

const shapes = (): string => service().contracts.shapes;

const watch = (parameters: INodeParameters = {}): INodeParameters => ({
	event: 'contractValue',
	contractAddress: shapes(),
	functionSource: 'signature',
	abi: 'stored() view returns (uint256)',
	...parameters,
});

const atLeast = (value: string, parameters: INodeParameters = {}): INodeParameters =>
	watch({ valueCondition: 'atLeast', conditionValue: value, ...parameters });

/** Changes the value that the contract returns. */
const store = async (value: number) =>
	await service().submit('Nelly', 'shapes', 'store(uint256)', [String(value)]);

// The value at the beginning of each test.
beforeEach(async () => await store(5));

test('Contract Value states both values and their difference', async () => {
	const trigger = poller(watch({ options: { decimals: 1, maxTries: 1 } }));
	expect(await trigger.poll()).toBeUndefined();
	expect(await trigger.poll()).toBeUndefined();
	await store(12);
	expect(await trigger.poll()).toEqual([
		{
			value: '1.2',
			previous: '0.5',
			difference: '0.7',
			direction: 'increased',
			function: 'stored()',
			args: [],
			contractAddress: shapes(),
			explorerUrl: expect.stringContaining(shapes()),
		},
	]);
	expect(await trigger.poll()).toBeUndefined();
	await store(3);
	expect(await trigger.poll()).toMatchObject([{ previous: '1.2', direction: 'decreased' }]);
});

test('text, several values and a common function are watched the same way', async () => {
	const setLabel = async (label: string) =>
		await service().submit('Nelly', 'shapes', 'setLabel(string)', [label]);
	await setLabel('open');
	const label = poller(watch({ abi: 'label() view returns (string text)' }));
	const summary = 'summary() view returns (uint256 count, string name, bool open, address self)';
	const all = poller(watch({ abi: summary, options: { emitExisting: true } }));
	const balance = poller({
		event: 'contractValue',
		contractAddress: service().contracts.usd,
		arguments: { mappingMode: 'defineBelow', value: { 'owner (address)': idOf('Rahul Sen') } },
		options: { decimals: 6 },
	});
	expect(await label.poll()).toBeUndefined();
	expect(await balance.poll()).toBeUndefined();
	expect(await all.poll()).toMatchObject([
		{ value: { count: '3', name: 'Shapes', open: true, self: shapes() }, previous: 'not known' },
	]);
	await setLabel('Open');
	await mint('Rahul Sen', '2500000');
	const texts = await label.poll();
	expect(texts).toMatchObject([{ value: { text: 'Open' }, previous: { text: 'open' } }]);
	expect(texts?.[0]).not.toHaveProperty('difference');
	expect(texts?.[0]).not.toHaveProperty('direction');
	expect(await all.poll()).toBeUndefined();
	expect(await balance.poll()).toMatchObject([
		{
			difference: '2.5',
			args: [service().user('Rahul Sen').address],
			resolvedAddresses: { [idOf('Rahul Sen')]: service().user('Rahul Sen').address },
		},
	]);
});

// `trigger-scheduling` tests the other places where n8n keeps the state (with a threshold).
test('a condition returns an item each time it begins to be met', async () => {
	const trigger = poller(atLeast('10'), { scheduling: 'in static data' });
	await trigger.poll();
	const items: IDataObject[] = [];
	for (const value of [10, 11, 30, 9, 1, 12, 12, 9, 20]) {
		await store(value);
		items.push(...((await trigger.poll()) ?? []));
	}
	const met = { condition: 'atLeast', comparedWith: '10' };
	expect(items).toMatchObject(['10', '12', '20'].map((value) => ({ value, ...met })));
});

test('whole tokens count with the decimals of the contract, and an address may be a user', async () => {
	const { usd } = service().contracts;
	const balance: INodeParameters = {
		contractAddress: usd,
		abi: 'balanceOf(address owner) view returns (uint256)',
		arguments: { mappingMode: 'defineBelow', value: { 'owner (address)': idOf('newcomer') } },
	};
	const trigger = poller(atLeast('0.5 SUSD', balance));
	expect(await trigger.poll()).toBeUndefined();
	await mint('newcomer', '499999');
	expect(await trigger.poll()).toBeUndefined();
	await mint('newcomer', '1');
	expect(await trigger.poll()).toMatchObject([{ value: '500000', difference: '1' }]);
	const echo = poller(
		watch({
			abi: 'echoAddress(address) view returns (address)',
			argumentsMode: 'json',
			args: JSON.stringify([service().user('Rahul Sen').address.toLowerCase()]),
			valueCondition: 'is',
			conditionValue: idOf('Rahul Sen'),
			options: { emitExisting: true },
		}),
	);
	expect(await echo.poll()).toMatchObject([{ value: service().user('Rahul Sen').address }]);
});

describe('the saved value', () => {
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
