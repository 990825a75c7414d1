/** Balance Changed and Balance Crossed Threshold, in n8n's poll context over the reference service and its chain. */
import { parseUnits } from 'ethers';
import type { INodeParameters } from 'n8n-workflow';

import { NELLY, NEWCOMER, RAHUL, useTriggerService } from './support/trigger-service.mts';

const { call, idOf, mint, poller, service } = useTriggerService();

// Nodes from before amounts were always whole have stored the unit.
test.each<INodeParameters>([{}, { amountUnit: 'whole' }])(
	'a change states both balances and their difference: %j',
	async (stored) => {
		const watched = { userIds: idOf(NELLY), asset: 'token', token: service().contracts.usd };
		const rules = { event: 'balanceChanged', minimumChange: '0.000005', ...stored };
		const trigger = poller({ ...watched, ...rules });
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
	},
);

test('the native coin is watched the same way', async () => {
	const trigger = poller({ event: 'balanceChanged', asset: 'native', userIds: '' });
	expect(await trigger.poll()).toBeUndefined();
	await mint(NELLY, '1');
	expect(await trigger.poll()).toMatchObject([
		{ symbol: 'ETH', tokenAddress: null, direction: 'decreased' },
	]);
});

test('a crossed threshold gives an item, and another one only after the way back', async () => {
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
	// It is armed again: an execution without items makes n8n save that.
	expect(await trigger.poll()).toEqual([]);
	await spend('501');
	expect(await trigger.poll()).toMatchObject([{ baseUnits: '999', crossed: 'below' }]);
});
