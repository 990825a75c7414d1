/** Balance Changed and Balance Crossed Threshold, in n8n's poll context over the reference service and its chain. */
import { parseUnits } from 'ethers';
import type { INodeParameters } from 'n8n-workflow';

import {
	failureOf,
	mint,
	NELLY,
	NEWCOMER,
	RAHUL,
	write,
	useTriggerService,
} from './support/trigger-service.mts';

const { poller, service } = useTriggerService();

const token = (): INodeParameters => ({
	userIds: service().user(NELLY).id,
	asset: 'token',
	token: service().contracts.usd,
});

test('a change is told with both balances and their difference', async () => {
	const trigger = poller({ ...token(), event: 'balanceChanged', minimumChange: '0.000005' });
	expect(await trigger.poll()).toBeUndefined();
	await mint(service(), NELLY, '4');
	expect(await trigger.poll()).toBeUndefined();
	await mint(service(), NELLY, '2');
	const [item, ...more] = (await trigger.poll()) ?? [];
	expect(more).toEqual([]);
	expect(item).toMatchObject({
		userId: service().user(NELLY).id,
		symbol: 'SUSD',
		difference: '0.000006',
		direction: 'increased',
	});
	const { previous, amount, baseUnits } = item ?? {};
	expect(parseUnits(String(amount), 6)).toBe(BigInt(String(baseUnits)));
	expect(parseUnits(String(amount), 6) - parseUnits(String(previous), 6)).toBe(6n);
	expect(Object.keys(item ?? {})).toEqual([
		...['userId', 'symbol', 'amount', 'previous', 'difference', 'direction'],
		...['name', 'baseUnits', 'decimals', 'tokenAddress', 'network', 'chainId'],
	]);
});

test('whole tokens that were chosen when there was a choice are what they were', async () => {
	const trigger = poller({
		...{ ...token(), event: 'balanceChanged' },
		...{ minimumChange: '0.000005', amountUnit: 'whole' },
	});
	expect(await trigger.poll()).toBeUndefined();
	await mint(service(), NELLY, '4');
	expect(await trigger.poll()).toBeUndefined();
	await mint(service(), NELLY, '1');
	expect(await trigger.poll()).toMatchObject([{ difference: '0.000005' }]);
});

test('the native coin is watched the same way', async () => {
	const trigger = poller({ event: 'balanceChanged', asset: 'native', userIds: '' });
	expect(await trigger.poll()).toBeUndefined();
	await mint(service(), NELLY, '1');
	const items = await trigger.poll();
	expect(items).toMatchObject([{ symbol: 'ETH', tokenAddress: null, direction: 'decreased' }]);
});

test('a threshold is told when it is crossed, and again only after the way back', async () => {
	const { address } = service().user(NEWCOMER);
	const { gold } = service().contracts;
	const spend = async (amount: string): Promise<unknown> =>
		await write(service(), NEWCOMER, {
			address: gold,
			abi: 'transfer(address,uint256)',
			args: [service().user(RAHUL).address, amount],
		});
	const receive = async (amount: string): Promise<unknown> =>
		await write(service(), NELLY, {
			address: gold,
			abi: 'mint(address,uint256)',
			args: [address, amount],
		});
	const trigger = poller({
		event: 'balanceCrossedThreshold',
		userIds: service().user(NEWCOMER).id,
		asset: 'token',
		token: gold,
		crossing: 'below',
		threshold: '0.000000000000001',
		hysteresis: '0.0000000000000005',
	});
	await receive('1000');
	expect(await trigger.poll()).toBeUndefined();
	await spend('1');
	expect(await trigger.poll()).toMatchObject([
		{
			baseUnits: '999',
			amount: '0.000000000000000999',
			previous: '0.000000000000001',
			difference: '-0.000000000000000001',
			threshold: '0.000000000000001',
			crossed: 'below',
		},
	]);
	await receive('500');
	expect(await trigger.poll()).toBeUndefined();
	await spend('500');
	expect(await trigger.poll()).toBeUndefined();
	await receive('501');
	// It is armed again: an execution without items makes n8n keep that.
	expect(await trigger.poll()).toEqual([]);
	await spend('501');
	expect(await trigger.poll()).toMatchObject([{ baseUnits: '999', crossed: 'below' }]);
});

test.each([
	[
		'more decimal places than the token has',
		{ minimumChange: '1.0000001' },
		/^Minimum Change: "1.0000001" has 7 decimal places/,
	],
	[
		'an amount that was stored in base units',
		{ minimumChange: '5', amountUnit: 'base' },
		/^Amounts In: "base" is no longer a choice: all amounts are in whole coins or tokens$/,
	],
	[
		'a threshold that was stored in base units',
		{ event: 'balanceCrossedThreshold', threshold: '5', amountUnit: 'base' },
		/^Amounts In: "base" is no longer a choice/,
	],
	[
		'a smallest transfer that was stored in base units',
		{ event: 'newTransfer', minimumAmount: '5', amountUnit: 'base' },
		/^Amounts In: "base" is no longer a choice/,
	],
	[
		'a unit that an expression gives',
		{ minimumChange: '5', amountUnit: '={{ "base" }}' },
		/^Amounts In: "base" is no longer a choice/,
	],
	['a comma', { minimumChange: '1,5' }, /Minimum Change: "1,5" has a comma/],
	['a unit that never was', { amountUnit: 'wei' }, /Amounts In: "wei" is no longer a choice/],
	[
		'a crossing that is none',
		{ event: 'balanceCrossedThreshold', crossing: 'down', threshold: '5' },
		/Alert When Balance: "down" is none of the choices/,
	],
	[
		'a direction that is none',
		{ event: 'newTransfer', direction: 'incoming' },
		/Direction: "incoming" is none of the choices/,
	],
	['an asset that is none', { asset: 'erc20' }, /Asset: "erc20" is none of the choices/],
	['an asset by its name', { asset: '={{ "Token" }}' }, /Asset: "Token" is none of the choices/],
	['a switch that is a word', { options: { emitExisting: 'ja' } }, /There: "ja" is neither true/],
	['a switch that is 1', { options: { emitExisting: 1 } }, /There: 1 is neither true nor false/],
	['a switch that is null', { options: { emitExisting: null } }, /There: null is neither true/],
	['no threshold', { event: 'balanceCrossedThreshold' }, /Threshold: No threshold is given/],
	[
		'a way back that never ends',
		{ event: 'balanceCrossedThreshold', crossing: 'above', threshold: '5', hysteresis: '5' },
		/Alert Again After Recovering By/,
	],
	['no token', { token: '' }, /Token: No token is given/],
	[
		'an amount of any token',
		{ event: 'newTransfer', token: '', minimumAmount: '5' },
		/Minimum Amount: An amount says nothing without a token/,
	],
	['a user id that is none', { userIds: 'nobody' }, /User IDs: "nobody" is not a user id/],
])('%s is refused', async (_name, parameters, message) => {
	const trigger = poller({ ...token(), event: 'balanceChanged', ...parameters });
	const failure = await failureOf(trigger.poll());
	expect(failure.message).toMatch(message);
	expect(failure.description).toMatch(/\w/);
	expect(trigger.staticData['node:Trigger'] ?? {}).toEqual({});
});
