/** New Transfer, Balance Changed and Balance Crossed Threshold, in n8n's poll context against the reference service. */
import { parseUnits } from 'ethers';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NELLY, NEWCOMER, RAHUL, useTriggerService } from './support/trigger-service.mts';
import type { Username } from '../support/sandbox/service.mts';

const { call, idOf, mint, poller, service } = useTriggerService();

const transfers = (username: Username, more: INodeParameters = {}): INodeParameters => ({
	...{ event: 'newTransfer', userIds: idOf(username), ...more },
});

test('the first poll returns no items, later ones new transfers in simplified form', async () => {
	const trigger = poller(transfers(NELLY));
	expect(await trigger.poll()).toBeUndefined();
	const hash = await mint(NELLY, '1500000');
	expect(await trigger.poll()).toEqual([
		{
			timestamp: expect.stringMatching(/Z$/),
			...{ direction: 'received', amount: '1.5', symbol: 'SUSD', who: 'not known' },
			explorerUrl: expect.stringContaining(hash),
			toAddress: service().user(NELLY).address,
			tokenAddress: service().contracts.usd.toLowerCase(),
			...{ hash, userId: idOf(NELLY), gapPossible: false },
		},
	]);
	expect(await trigger.poll()).toBeUndefined();
});

test.each([true, '={{ "true" }}'])(
	'on request (%j), the first poll returns the existing transfers, oldest first',
	async (emitExisting) => {
		const items = await poller(transfers(NELLY, { options: { emitExisting } })).poll();
		const path = `/v1/users/${idOf(NELLY)}/history`;
		const { data } = await service().as(NELLY).get<IDataObject[]>(path);
		expect(items?.map(({ hash }) => hash)).toEqual(data.map(({ hash }) => hash).reverse());
	},
);

test('a filter has a direction, a token and an amount in whole tokens', async () => {
	const { usd: token, gold } = service().contracts;
	const filter = { direction: 'received', token, minimumAmount: '2.5' };
	const trigger = poller(transfers(NELLY, filter));
	await trigger.poll();
	await mint(NELLY, '2499999');
	await mint(NELLY, '9000000', gold);
	const { address } = service().user(RAHUL);
	await call(NELLY, token, 'transfer(address,uint256)', address, '3000000');
	expect(await trigger.poll()).toBeUndefined();
	await mint(NELLY, '2500000');
	expect(await trigger.poll()).toMatchObject([{ amount: '2.5', direction: 'received' }]);
});

test('two identical transfers of one transaction are two items', async () => {
	const { usd, payouts } = service().contracts;
	const trigger = poller(transfers(NEWCOMER));
	await trigger.poll();
	await call(NELLY, usd, 'approve(address,uint256)', payouts, '20');
	const pay = 'payTwice(address,address,uint256)';
	const hash = await call(NELLY, payouts, pay, usd, service().user(NEWCOMER).address, '10');
	const items = await trigger.poll();
	expect(items?.map((item) => item.hash)).toEqual([hash, hash]);
	expect(items?.[0]).toEqual(items?.[1]);
	expect(await trigger.poll()).toBeUndefined();
});

test('another user, event, token or base URL is a new start', async () => {
	const before = poller(transfers(NELLY));
	await before.poll();
	const { staticData } = before;
	await mint(NELLY, '8');
	const credential = service().credential(NELLY);
	const baseUrl = service().ready.baseUrl.replace('127.0.0.1', 'localhost');
	const changes: [INodeParameters, typeof credential][] = [
		[transfers(RAHUL), credential],
		[transfers(NELLY, { event: 'balanceChanged' }), credential],
		[transfers(NELLY, { token: service().contracts.usd }), credential],
		[transfers(NELLY), { ...credential, baseUrl }],
	];
	for (const [parameters, changed] of changes) {
		const after = poller(parameters, { staticData, credential: changed });
		expect(await after.poll()).toBeUndefined();
		expect(after.staticData).not.toEqual(staticData);
	}
});

test('a change states both balances and their difference', async () => {
	const asset = { asset: 'token', token: service().contracts.usd };
	const rules = { event: 'balanceChanged', minimumChange: '0.000005' };
	const trigger = poller(transfers(NELLY, { ...asset, ...rules }));
	expect(await trigger.poll()).toBeUndefined();
	await mint(NELLY, '4');
	expect(await trigger.poll()).toBeUndefined();
	await mint(NELLY, '2');
	const [item = {}, ...more] = (await trigger.poll()) ?? [];
	expect(more).toEqual([]);
	const moved = { difference: '0.000006', direction: 'increased' };
	expect(item).toMatchObject({ userId: idOf(NELLY), symbol: 'SUSD', ...moved });
	const { previous, amount, baseUnits } = item;
	expect(parseUnits(String(amount), 6)).toBe(BigInt(String(baseUnits)));
	expect(parseUnits(String(amount), 6) - parseUnits(String(previous), 6)).toBe(6n);
	expect(Object.keys(item)).toEqual([
		...['userId', 'symbol', 'amount', 'previous', 'difference', 'direction'],
		...['name', 'baseUnits', 'decimals', 'tokenAddress', 'network', 'chainId'],
	]);
});

test('the native coin is watched the same way', async () => {
	const trigger = poller({ event: 'balanceChanged', asset: 'native', userIds: '' });
	expect(await trigger.poll()).toBeUndefined();
	await mint(NELLY, '1');
	expect(await trigger.poll()).toMatchObject([
		{ symbol: 'ETH', tokenAddress: null, direction: 'decreased' },
	]);
});

test('a crossed threshold returns an item, and another one only after the balance has recovered', async () => {
	const { gold } = service().contracts;
	const { address } = service().user(RAHUL);
	const spend = async (amount: string) =>
		await call(NEWCOMER, gold, 'transfer(address,uint256)', address, amount);
	const trigger = poller({
		...{ event: 'balanceCrossedThreshold', userIds: idOf(NEWCOMER), asset: 'token', token: gold },
		...{ crossing: 'below', threshold: '0.000000000000001', hysteresis: '0.0000000000000005' },
	});
	await mint(NEWCOMER, '1000', gold);
	expect(await trigger.poll()).toBeUndefined();
	await spend('1');
	expect(await trigger.poll()).toMatchObject([
		{
			...{ baseUnits: '999', amount: '0.000000000000000999', previous: '0.000000000000001' },
			...{ difference: '-0.000000000000000001', threshold: '0.000000000000001' },
			crossed: 'below',
		},
	]);
	await mint(NEWCOMER, '500', gold);
	expect(await trigger.poll()).toBeUndefined();
	await spend('500');
	expect(await trigger.poll()).toBeUndefined();
	await mint(NEWCOMER, '501', gold);
	// The trigger is armed again: an execution without items makes n8n save this state.
	expect(await trigger.poll()).toEqual([]);
	await spend('501');
	expect(await trigger.poll()).toMatchObject([{ baseUnits: '999', crossed: 'below' }]);
});
