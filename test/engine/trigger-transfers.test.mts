/** New Transfer, in n8n's poll context over the reference service and its chain. */
import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	mint,
	NELLY,
	NEWCOMER,
	RAHUL,
	write,
	useTriggerService,
} from './support/trigger-service.mts';
import type { Username } from '../support/sandbox/service.mts';

const { poller, service } = useTriggerService();

const transfers = (username: Username): INodeParameters => ({
	event: 'newTransfer',
	userIds: service().user(username).id,
});

test('the first poll gives nothing, the next ones what is new, in simplified form', async () => {
	const trigger = poller(transfers(NELLY));
	expect(await trigger.poll()).toBeUndefined();
	const hash = await mint(service(), NELLY, '1500000');
	expect(await trigger.poll()).toEqual([
		{
			timestamp: expect.stringMatching(/Z$/),
			direction: 'received',
			amount: '1.5',
			symbol: 'SUSD',
			who: 'not known',
			explorerUrl: expect.stringContaining(hash),
			toAddress: service().user(NELLY).address,
			tokenAddress: service().contracts.usd.toLowerCase(),
			hash,
			userId: service().user(NELLY).id,
			gapPossible: false,
		},
	]);
	expect(await trigger.poll()).toBeUndefined();
});

test.each([true, '={{ "true" }}'])(
	'on request (%j), the first poll gives what is there, oldest first',
	async (emitExisting) => {
		const options = { emitExisting };
		const items = (await poller({ ...transfers(NELLY), options }).poll()) ?? [];
		const { data } = await axios.get<IDataObject[]>(
			`${service().ready.baseUrl}/v1/users/${service().user(NELLY).id}/history`,
			{ headers: { Authorization: `Bearer ${service().user(NELLY).accessToken}` } },
		);
		expect(items.map(({ hash }) => hash)).toEqual(data.map(({ hash }) => hash).reverse());
	},
);

test('what is no transfer starts nothing until it has become one', async () => {
	const user = service().user(NELLY);
	const answer = async (...types: string[]): Promise<void> => {
		await service().faults.reset();
		const entries = types.map((type, index) => ({
			type,
			to: { username: NELLY, platform: 'DISCORD', address: user.address },
			amount: {
				...{ valueBn: { type: 'BigNumber', hex: '0x0f4240' }, formatted: 1, decimals: 6 },
				...{ symbol: 'SUSD', tokenAddress: service().contracts.usd },
			},
			timestamp: new Date(Date.UTC(2026, 10, 21, 12, 0, index)).toISOString(),
			...{ hash: `0x${String(index).padStart(64, '0')}`, explorerUrl: '' },
		}));
		const match = { path: `/v1/users/${user.id}/history` };
		const body = JSON.stringify([...entries, { type: 'APPROVAL' }]);
		await service().faults.add({ kind: 'wrong-shape', match, params: { body } });
	};
	const trigger = poller({ ...transfers(NELLY), options: { emitExisting: true } });
	await answer('FAILED', 'transfer', 'PENDING');
	expect(await trigger.poll()).toMatchObject([{ timestamp: '2026-11-21T12:00:01.000Z' }]);
	await answer('FAILED', 'transfer', 'PENDING', 'APPROVAL');
	expect(await trigger.poll()).toBeUndefined();
	await answer('FAILED', 'transfer', 'TRANSFER', 'APPROVAL');
	expect(await trigger.poll()).toMatchObject([{ timestamp: '2026-11-21T12:00:02.000Z' }]);
	await service().faults.reset();
});

test('a filter takes a direction, a token and an amount in whole tokens', async () => {
	const { usd, gold } = service().contracts;
	const trigger = poller({
		...transfers(NELLY),
		direction: 'received',
		token: usd,
		minimumAmount: '2.5',
	});
	await trigger.poll();
	const other = service().user(RAHUL).address;
	await mint(service(), NELLY, '2499999');
	await mint(service(), NELLY, '9000000', gold);
	await write(service(), NELLY, {
		address: usd,
		abi: 'transfer(address,uint256)',
		args: [other, '3000000'],
	});
	expect(await trigger.poll()).toBeUndefined();
	await mint(service(), NELLY, '2500000');
	expect(await trigger.poll()).toMatchObject([{ amount: '2.5', direction: 'received' }]);
});

test('two identical transfers of one transaction are two items', async () => {
	const { usd, payouts } = service().contracts;
	const trigger = poller(transfers(NEWCOMER));
	await trigger.poll();
	await write(service(), NELLY, {
		address: usd,
		abi: 'approve(address,uint256)',
		args: [payouts, '20'],
	});
	const to = service().user(NEWCOMER).address;
	const hash = await write(service(), NELLY, {
		address: payouts,
		abi: 'payTwice(address,address,uint256)',
		args: [usd, to, '10'],
	});
	const items = await trigger.poll();
	expect(items?.map((item) => item.hash)).toEqual([hash, hash]);
	expect(items?.[0]).toEqual(items?.[1]);
	expect(await trigger.poll()).toBeUndefined();
});

test('it goes on where it was when n8n starts again', async () => {
	const before = poller(transfers(NELLY));
	await before.poll();
	const { staticData } = before;
	await mint(service(), NELLY, '7');
	const after = poller(transfers(NELLY), { staticData, activation: 'init' });
	expect(await after.poll()).toMatchObject([{ amount: '0.000007' }]);
});

test('another user, event, token or base URL is a new start', async () => {
	const before = poller(transfers(NELLY));
	await before.poll();
	const { staticData } = before;
	await mint(service(), NELLY, '8');
	const credential = service().credential(NELLY);
	const elsewhere = {
		...credential,
		baseUrl: service().ready.baseUrl.replace('127.0.0.1', 'localhost'),
	};
	const changes: [INodeParameters, typeof credential][] = [
		[transfers(RAHUL), credential],
		[{ ...transfers(NELLY), event: 'balanceChanged' }, credential],
		[{ ...transfers(NELLY), token: service().contracts.usd }, credential],
		[transfers(NELLY), elsewhere],
	];
	for (const [parameters, changed] of changes) {
		const after = poller(parameters, { staticData, credential: changed });
		expect(await after.poll()).toBeUndefined();
		expect(after.staticData).not.toEqual(staticData);
	}
});
