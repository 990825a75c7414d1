/** The trigger as n8n polls it: with its state in memory, or by the durable scheduler, which starts from the saved state. */
import { formatUnits } from 'ethers';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Activation, Poller, Scheduling } from './support/poller.mts';
import { failureOf, useTriggerService } from './support/trigger-service.mts';

const { idOf, mint, poller, service } = useTriggerService();

const transfers = (): INodeParameters => ({ event: 'newTransfer', userIds: idOf('Nelly') });

const balance = (rules: INodeParameters): INodeParameters => ({
	userIds: idOf('newcomer'),
	asset: 'token',
	token: service().contracts.usd,
	...rules,
});

/** Activates a trigger, and then makes a transfer. */
async function started(amount: string, more?: Partial<Activation>): Promise<Poller> {
	const trigger = poller(transfers(), more);
	await trigger.poll();
	await mint('Nelly', amount);
	return trigger;
}

const ALL: Scheduling[] = ['in memory', 'in static data', 'in a cursor'];
const DURABLE: Scheduling[] = ['in static data', 'in a cursor'];

describe.each(ALL)('the state %s', (scheduling) => {
	test('a threshold returns an item each time it is crossed after the balance has recovered', async () => {
		await mint('newcomer', '1000');
		const before = poller(balance({ event: 'balanceChanged' }), { mode: 'manual' });
		const [start] = (await before.poll()) ?? [];
		const threshold = formatUnits(BigInt(String(start?.baseUnits)) - 5n, 6);
		const rules = { event: 'balanceCrossedThreshold', threshold, hysteresis: '0.000003' };
		const trigger = poller(balance(rules), { scheduling });
		await trigger.poll();
		const { address } = service().user('Rahul Sen');
		const items: IDataObject[] = [];
		// Only the first and last changes cross the threshold; changes that return no item must not block the next item.
		for (const change of Array(3).fill([-6, 2, -2, 6]).flat()) {
			const amount = String(Math.abs(change));
			if (change > 0) await mint('newcomer', amount);
			else
				await service().submit('newcomer', 'usd', 'transfer(address,uint256)', [address, amount]);
			items.push(...((await trigger.poll()) ?? []));
		}
		expect(items).toMatchObject(Array(3).fill({ crossed: 'below', direction: 'decreased' }));
	});

	test('of simultaneous polls only one returns items', async () => {
		const trigger = await started('2', { scheduling });
		await service().faults.add({ kind: 'latency', params: { ms: 300 } });
		const polls = await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
		const items = [{ amount: '0.000002', gapPossible: false }];
		expect(polls).toMatchObject([items, undefined, undefined]);
		await service().faults.reset();
		expect(await trigger.poll()).toBeUndefined();
	});

	test('a poll that fails does not block the next one', async () => {
		const trigger = await started('3', { scheduling });
		await service().faults.add({ kind: 'status-text', times: 1 });
		expect(await failureOf(trigger.poll())).toMatchObject({ httpCode: '500' });
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000003' }]);
	});
});

describe.each(DURABLE)('the state %s', (scheduling) => {
	test('a poll begun before the activation was saved is not a new start', async () => {
		const trigger = poller(transfers(), { scheduling });
		const activation = trigger.begin();
		const early = trigger.begin();
		await activation();
		await mint('Nelly', '5');
		expect(await early()).toBeUndefined();
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000005' }]);
	});

	test('a poll begun before the last one was saved returns no items, and the next one only new ones', async () => {
		const trigger = poller(transfers(), { scheduling });
		await trigger.poll();
		const late = trigger.begin();
		await mint('Nelly', '5');
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000005' }]);
		expect(await late()).toBeUndefined();
		await mint('Nelly', '6');
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000006' }]);
	});
});

test.each([
	['activate', undefined],
	['init', undefined],
	// Polls of the durable scheduler cannot be distinguished from the first poll after an update.
	['update', []],
] as const)(
	'the first poll (%s) asks n8n to save only where it would not',
	async (activation, items) => {
		const trigger = poller(transfers(), { activation });
		expect(await trigger.poll()).toEqual(items);
		const { staticData } = trigger;
		expect(await trigger.poll()).toBeUndefined();
		expect(trigger.staticData).toEqual(staticData);
		expect(await poller(transfers(), { activation, staticData }).poll()).toBeUndefined();
	},
);

test('another user, event, token or base URL is a new start', async () => {
	const before = poller(transfers());
	await before.poll();
	const { staticData } = before;
	await mint('Nelly', '8');
	const credential = service().credential('Nelly');
	const baseUrl = service().ready.baseUrl.replace('127.0.0.1', 'localhost');
	const changes: [INodeParameters, typeof credential][] = [
		[{ ...transfers(), userIds: idOf('Rahul Sen') }, credential],
		[{ ...transfers(), event: 'balanceChanged' }, credential],
		[{ ...transfers(), token: service().contracts.usd }, credential],
		[transfers(), { ...credential, baseUrl }],
	];
	for (const [parameters, changed] of changes) {
		const after = poller(parameters, { staticData, credential: changed });
		expect(await after.poll()).toBeUndefined();
		expect(after.staticData).not.toEqual(staticData);
	}
});

describe('while a poll is under way', () => {
	/** Activates a trigger, and starts a slow poll. */
	async function underWay(more: Partial<Activation>) {
		const trigger = await started('7', more);
		await service().faults.add({ kind: 'latency', times: 1, params: { ms: 1500 } });
		return { trigger, polling: trigger.poll() };
	}

	test.each([
		['another workflow', { workflowId: 'another' }],
		['another trigger of the workflow', { workflowId: 'one', nodeName: 'Another' }],
	])('%s polls too', async (_name, another) => {
		const other = poller(transfers(), another);
		await other.poll();
		const { polling } = await underWay({ workflowId: 'one' });
		expect(await other.poll()).toMatchObject([{ amount: '0.000007' }]);
		expect(await polling).toMatchObject([{ amount: '0.000007' }]);
	});

	test('a test event is still fetched in the editor, and blocks no poll', async () => {
		const { polling, trigger } = await underWay({ workflowId: 'edited' });
		const more = { workflowId: 'edited', mode: 'manual', activation: 'manual' } as const;
		const inEditor = (): Poller => poller(transfers(), more);
		expect(await inEditor().poll()).toMatchObject([{ amount: '0.000007' }]);
		expect(await polling).toMatchObject([{ amount: '0.000007' }]);
		await mint('Nelly', '8');
		await service().faults.add({ kind: 'latency', times: 2, params: { ms: 300 } });
		const [sample, items] = await Promise.all([inEditor().poll(), trigger.poll()]);
		expect([sample, items]).toMatchObject([[{ amount: '0.000008' }], [{ amount: '0.000008' }]]);
	});

	test('a new version of the same workflow waits for its next poll', async () => {
		const { polling } = await underWay({ workflowId: 'updated' });
		const updated = poller(transfers(), { workflowId: 'updated', activation: 'update' });
		expect(await updated.poll()).toBeUndefined();
		await polling;
		// The first check: an execution without items makes n8n save the state.
		expect(await updated.poll()).toEqual([]);
	});
});
