/** The trigger keeps to the time that n8n gives a poll: what it has found when that is over would be dropped. */
import type { INodeParameters } from 'n8n-workflow';

import { failureOf, mint, NELLY, RAHUL, useTriggerService } from './support/trigger-service.mts';

/** Less than a request may take by itself, in milliseconds: a poll that waits for one fails its test. */
const SOON = 20_000;

const { idOf, poller, service } = useTriggerService();

const transfers = (userIds: string[]): INodeParameters => ({
	event: 'newTransfer',
	userIds: userIds.join('\n'),
});

/** Rahul, and the users that nobody knows. */
const onlyGoogle = { path: '/v1/users/GOOGLE-.*' };

test(
	'the time is enough for the wallets that answer',
	async () => {
		const trigger = poller(transfers([idOf(RAHUL), idOf(NELLY)]), { budgetMs: 1500 });
		await trigger.poll();
		await mint(service(), NELLY, '4');
		await service().faults.add({ kind: 'hang', match: onlyGoogle });
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000004', userId: idOf(NELLY) }]);
		await service().faults.reset();
		await mint(service(), RAHUL, '5');
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000005', userId: idOf(RAHUL) }]);
	},
	SOON,
);

test('a poll without any time left says so', async () => {
	const trigger = poller(transfers([idOf(NELLY)]), { budgetMs: 0 });
	const failure = await failureOf(trigger.poll());
	expect(failure.message).toMatch(/The time that n8n gives a poll was over/);
	expect(failure.description).toMatch(/shorter Timeout/);
	expect(await service().faults.requests()).toEqual([]);
});

test(
	'a service that asks for more time than n8n gives a poll is not waited for',
	async () => {
		const watch = { ...transfers([idOf(RAHUL), idOf(NELLY)]), options: { maxTries: 4 } };
		const trigger = poller(watch, { budgetMs: 5000 });
		await trigger.poll();
		await mint(service(), NELLY, '9');
		await service().faults.add({
			kind: 'rate-limit',
			params: { retryAfter: 30 },
			match: onlyGoogle,
		});
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000009' }]);
	},
	SOON,
);

test('wallets that there was no time for have their turn at another poll', async () => {
	// Twice as many as are asked at the same time: they take all the time of a poll in which they come first.
	const silent = Array.from({ length: 20 }, (_, index) => `GOOGLE-${index}`);
	const watch = transfers([...silent, idOf(NELLY)]);
	const before = poller(watch);
	await before.poll();
	const { staticData } = before;
	await mint(service(), NELLY, '10');
	await service().faults.add({ kind: 'hang', match: onlyGoogle });
	const trigger = poller(watch, { staticData, activation: 'init', budgetMs: 300 });
	let items: unknown;
	for (let polls = 0; polls < 50 && items === undefined; polls++) {
		items = await trigger.poll().catch(() => undefined);
	}
	expect(items).toMatchObject([{ amount: '0.00001' }]);
}, 40_000);
