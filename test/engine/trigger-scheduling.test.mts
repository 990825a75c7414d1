/** The trigger as n8n polls it: from memory, and by its durable scheduler, which begins each poll with what was saved. */
import { formatUnits } from 'ethers';
import type { INodeParameters } from 'n8n-workflow';

import type { Activation, Poller, Scheduling } from './support/poller.mts';
import {
	failureOf,
	mint,
	NELLY,
	NEWCOMER,
	RAHUL,
	write,
	useTriggerService,
} from './support/trigger-service.mts';
import type { Username } from '../support/sandbox/service.mts';

const { idOf, poller, service } = useTriggerService();

const transfers = (username: Username): INodeParameters => ({
	event: 'newTransfer',
	userIds: idOf(username),
});

const balance = (): INodeParameters => ({
	userIds: idOf(NEWCOMER),
	asset: 'token',
	token: service().contracts.usd,
});

/** Lets the newcomer send dollars away. */
const spend = async (amount: string): Promise<string> =>
	await write(service(), NEWCOMER, {
		address: service().contracts.usd,
		abi: 'transfer(address,uint256)',
		args: [service().user(RAHUL).address, amount],
	});

const ALL: Scheduling[] = ['in memory', 'in static data', 'in a cursor'];
const DURABLE: Scheduling[] = ['in static data', 'in a cursor'];

describe.each(ALL)('the state %s', (scheduling) => {
	const scheduled = (parameters: INodeParameters): Poller => poller(parameters, { scheduling });

	test('a threshold is told each time it is crossed', async () => {
		await mint(service(), NEWCOMER, '1000');
		const before = poller({ ...balance(), event: 'balanceChanged' }, { mode: 'manual' });
		const [start] = (await before.poll()) ?? [];
		const threshold = formatUnits(BigInt(String(start?.baseUnits)) - 5n, 6);
		const watch = { ...balance(), event: 'balanceCrossedThreshold', threshold };
		const trigger = scheduled(watch);
		const told: unknown[] = [];
		const poll = async (): Promise<void> => {
			for (const { crossed, direction } of (await trigger.poll()) ?? []) {
				told.push([crossed, direction]);
			}
		};
		await poll();
		for (let round = 0; round < 3; round++) {
			// Each second change stays on its side: it is not told, and must not hold up what comes after it.
			for (const amount of ['6', '1']) {
				await spend(amount);
				await poll();
			}
			for (const amount of ['2', '5']) {
				await mint(service(), NEWCOMER, amount);
				await poll();
			}
		}
		expect(told).toEqual(Array(3).fill(['below', 'decreased']));
	});

	test('small changes of a balance add up over several polls', async () => {
		const trigger = scheduled({ ...balance(), event: 'balanceChanged', minimumChange: '0.000005' });
		await trigger.poll();
		for (const amount of ['2', '2']) {
			await mint(service(), NEWCOMER, amount);
			expect((await trigger.poll()) ?? []).toEqual([]);
		}
		await mint(service(), NEWCOMER, '2');
		expect(await trigger.poll()).toMatchObject([{ difference: '0.000006' }]);
		expect(await trigger.poll()).toBeUndefined();
	});

	test('what comes right after the activation is not taken for what was there', async () => {
		const trigger = scheduled(transfers(NELLY));
		await trigger.poll();
		await mint(service(), NELLY, '1');
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000001', gapPossible: false }]);
		expect(await trigger.poll()).toBeUndefined();
	});

	test('of two polls at the same time one gives nothing, whichever began first', async () => {
		const trigger = scheduled(transfers(NELLY));
		await trigger.poll();
		await mint(service(), NELLY, '2');
		await service().faults.add({ kind: 'latency', params: { ms: 300 } });
		const results = await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
		expect(results).toMatchObject([[{ amount: '0.000002' }], undefined, undefined]);
		await service().faults.reset();
		expect(await trigger.poll()).toBeUndefined();
	});

	test('a poll that fails keeps no other one waiting', async () => {
		const trigger = scheduled(transfers(NELLY));
		await trigger.poll();
		await mint(service(), NELLY, '3');
		await service().faults.add({ kind: 'status-text', times: 1 });
		expect(await failureOf(trigger.poll())).toMatchObject({ httpCode: '500' });
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000003' }]);
	});
});

describe.each(DURABLE)('the state %s', (scheduling) => {
	test('a poll made before the activation was saved does not start anew', async () => {
		const trigger = poller(transfers(NELLY), { scheduling });
		const activation = trigger.begin();
		const early = trigger.begin();
		await activation();
		await mint(service(), NELLY, '5');
		expect(await early()).toBeUndefined();
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000005' }]);
	});

	test('a poll made before the last one was saved gives nothing, and the next one what is new', async () => {
		const trigger = poller(transfers(NELLY), { scheduling });
		await trigger.poll();
		const late = trigger.begin();
		await mint(service(), NELLY, '5');
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000005' }]);
		expect(await late()).toBeUndefined();
		await mint(service(), NELLY, '6');
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000006' }]);
	});
});

test.each([
	['the user', 'activate', undefined],
	['a start of n8n', 'init', undefined],
	// The durable scheduler polls as if after an update: it cannot be told apart.
	['an update', 'update', []],
] as const)('the first poll after %s leaves saving to n8n where it does', async (...given) => {
	const [, activation, expected] = given;
	const trigger = poller(transfers(NELLY), { activation });
	expect(await trigger.poll()).toEqual(expected);
	const { staticData } = trigger;
	expect(await trigger.poll()).toBeUndefined();
	expect(trigger.staticData).toEqual(staticData);
	expect(await poller(transfers(NELLY), { activation, staticData }).poll()).toBeUndefined();
});

describe('while a poll is under way', () => {
	/** A trigger, and a poll of it whose answer takes a while. */
	async function underWay(more: Partial<Activation>) {
		const trigger = poller(transfers(NELLY), more);
		await trigger.poll();
		await mint(service(), NELLY, '7');
		await service().faults.add({ kind: 'latency', times: 1, params: { ms: 1500 } });
		const polling = trigger.poll();
		return { trigger, polling };
	}

	test.each([
		['another workflow', { workflowId: 'another' }],
		['another trigger of the workflow', { workflowId: 'one', nodeName: 'Another' }],
	])('%s polls all the same', async (_name, another) => {
		const other = poller(transfers(NELLY), another);
		await other.poll();
		const { polling } = await underWay({ workflowId: 'one' });
		expect(await other.poll()).toMatchObject([{ amount: '0.000007' }]);
		expect(await polling).toMatchObject([{ amount: '0.000007' }]);
	});

	test('a test event is fetched in the editor all the same, and is in nobody’s way', async () => {
		const { polling, trigger } = await underWay({ workflowId: 'edited' });
		const inEditor = (): Poller =>
			poller(transfers(NELLY), {
				workflowId: 'edited',
				mode: 'manual',
				activation: 'manual',
			});
		expect(await inEditor().poll()).toMatchObject([{ amount: '0.000007' }]);
		expect(await polling).toMatchObject([{ amount: '0.000007' }]);
		await mint(service(), NELLY, '8');
		await service().faults.add({ kind: 'latency', times: 2, params: { ms: 300 } });
		const [sample, items] = await Promise.all([inEditor().poll(), trigger.poll()]);
		expect([sample, items]).toMatchObject([[{ amount: '0.000008' }], [{ amount: '0.000008' }]]);
	});

	test('a new version of the same workflow waits for its next poll', async () => {
		const { polling } = await underWay({ workflowId: 'updated' });
		const updated = poller(transfers(NELLY), { workflowId: 'updated', activation: 'update' });
		expect(await updated.poll()).toBeUndefined();
		await polling;
		// It has not looked before, and n8n is made to keep that it has now.
		expect(await updated.poll()).toEqual([]);
	});
});
