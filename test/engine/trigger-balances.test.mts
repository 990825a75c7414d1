/** Balance Changed and Balance Crossed Threshold, in n8n's poll context over the reference service and its chain. */
import type { INodeParameters } from 'n8n-workflow';

import { LoadedNodeTypes } from './support/node-types.mts';
import type { Poller } from './support/poller.mts';
import { Service } from './support/service.mts';
import {
	createPoller,
	failureOf,
	mint,
	NELLY,
	NEWCOMER,
	RAHUL,
	write,
} from './support/trigger-service.mts';

let nodeTypes: LoadedNodeTypes;
let service: Service;

beforeAll(async () => {
	[nodeTypes, service] = await Promise.all([LoadedNodeTypes.load(), Service.start()]);
});
afterAll(async () => await service.stop());

const poller = (parameters: INodeParameters): Poller =>
	createPoller(nodeTypes, service, parameters);

const token = (): INodeParameters => ({
	userIds: service.user(NELLY).id,
	asset: 'token',
	contractAddress: service.ready.contracts.usd,
});

test('a change is told with both balances and their difference', async () => {
	const trigger = poller({ ...token(), event: 'balanceChanged', minimumChange: '5' });
	expect(await trigger.poll()).toBeUndefined();
	await mint(service, NELLY, '4');
	expect(await trigger.poll()).toBeUndefined();
	await mint(service, NELLY, '2');
	const [item, ...more] = (await trigger.poll()) ?? [];
	expect(more).toEqual([]);
	expect(item).toMatchObject({
		userId: service.user(NELLY).id,
		symbol: 'SUSD',
		baseUnits: item?.current,
		difference: '6',
		direction: 'increased',
	});
	expect(BigInt(String(item?.current)) - BigInt(String(item?.previous))).toBe(6n);
});

test('the native coin is watched the same way', async () => {
	const trigger = poller({ event: 'balanceChanged', asset: 'native', userIds: '' });
	expect(await trigger.poll()).toBeUndefined();
	await mint(service, NELLY, '1');
	const items = await trigger.poll();
	expect(items).toMatchObject([{ symbol: 'ETH', tokenAddress: null, direction: 'decreased' }]);
});

test('a threshold is told when it is crossed, and again only after the way back', async () => {
	const { address } = service.user(NEWCOMER);
	const { gold } = service.ready.contracts;
	const spend = async (amount: string): Promise<unknown> =>
		await write(service, NEWCOMER, {
			address: gold,
			abi: 'transfer(address,uint256)',
			args: [service.user(RAHUL).address, amount],
		});
	const receive = async (amount: string): Promise<unknown> =>
		await write(service, NELLY, {
			address: gold,
			abi: 'mint(address,uint256)',
			args: [address, amount],
		});
	const trigger = poller({
		event: 'balanceCrossedThreshold',
		userIds: service.user(NEWCOMER).id,
		asset: 'token',
		contractAddress: gold,
		crossing: 'below',
		threshold: '0.000000000000001',
		hysteresis: '0.0000000000000005',
		amountUnit: 'whole',
		decimals: 18,
	});
	await receive('1000');
	expect(await trigger.poll()).toBeUndefined();
	await spend('1');
	expect(await trigger.poll()).toMatchObject([
		{ previous: '1000', current: '999', difference: '-1', threshold: '1000', crossed: 'below' },
	]);
	await receive('500');
	expect(await trigger.poll()).toBeUndefined();
	await spend('500');
	expect(await trigger.poll()).toBeUndefined();
	await receive('501');
	// It is armed again: an execution without items makes n8n keep that.
	expect(await trigger.poll()).toEqual([]);
	await spend('501');
	expect(await trigger.poll()).toMatchObject([{ current: '999', crossed: 'below' }]);
});

test.each([
	[
		'other decimals than the service has',
		{ minimumChange: '1', amountUnit: 'whole', decimals: 18 },
		/SUSD has 6/,
	],
	['a fraction of a base unit', { minimumChange: '1.5' }, /Minimum Change: .*decimal places/],
	['no threshold', { event: 'balanceCrossedThreshold' }, /Threshold: No threshold is given/],
	[
		'a way back that never ends',
		{ event: 'balanceCrossedThreshold', crossing: 'above', threshold: '5', hysteresis: '5' },
		/Hysteresis/,
	],
	['no token', { contractAddress: '' }, /Contract Address/],
	[
		'an amount of any token',
		{ event: 'newTransfer', contractAddress: '', minimumAmount: '5' },
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
