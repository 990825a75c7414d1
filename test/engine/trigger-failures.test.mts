/** What the trigger does when the service fails, and what it leaves alone. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	failureOf,
	mint,
	NELLY,
	NEWCOMER,
	RAHUL,
	UNUSABLE_ANSWERS,
	useTriggerService,
} from './support/trigger-service.mts';

const { idOf, poller, service } = useTriggerService();

const EVENTS: [string, INodeParameters][] = [
	['newTransfer', {}],
	['balanceChanged', { asset: 'token' }],
	['balanceCrossedThreshold', { asset: 'token', crossing: 'both', threshold: '1' }],
];

describe.each(EVENTS)('%s', (event, parameters) => {
	const watch = (): INodeParameters => ({
		event,
		userIds: idOf(NELLY),
		...parameters,
		...(parameters.asset === 'token' && { token: service().contracts.usd }),
	});

	test.each(UNUSABLE_ANSWERS)(
		'an answer of kind %s is an error and moves nothing',
		async (kind) => {
			const trigger = poller(watch());
			await trigger.poll();
			const { staticData } = trigger;
			await mint(service(), NELLY, '3');
			await service().faults.add({ kind, match: { path: '/v1/users/.*' } });
			const { message, description } = await failureOf(trigger.poll());
			expect(message).toContain(idOf(NELLY));
			expect(description).toMatch(/\w/);
			expect(trigger.staticData).toEqual(staticData);
			await service().faults.reset();
			const items = await trigger.poll();
			if (event === 'newTransfer') expect(items).toMatchObject([{ amount: '0.000003' }]);
			if (event === 'balanceChanged') expect(items).toMatchObject([{ difference: '0.000003' }]);
		},
	);
});

describe('several users', () => {
	const watch = (): INodeParameters => ({
		event: 'newTransfer',
		userIds: [idOf(NELLY), idOf(RAHUL)].join('\n'),
	});
	const onlyRahul = { path: '/v1/users/GOOGLE-.*' };

	test('one that fails keeps its state, the others go on', async () => {
		const trigger = poller(watch());
		expect(await trigger.poll()).toBeUndefined();
		await mint(service(), NELLY, '1');
		await mint(service(), RAHUL, '2');
		await service().faults.add({ kind: 'status-text', match: onlyRahul });
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000001', userId: idOf(NELLY) }]);
		await service().faults.reset();
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000002', userId: idOf(RAHUL) }]);
	});

	test('one that comes later has its own start, which n8n is made to keep', async () => {
		const trigger = poller(watch());
		await service().faults.add({ kind: 'status-text', match: onlyRahul });
		expect(await trigger.poll()).toBeUndefined();
		await service().faults.reset();
		expect(await trigger.poll()).toEqual([]);
		await mint(service(), RAHUL, '3');
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000003', gapPossible: false }]);
	});

	test('an expression may give the list', async () => {
		const userIds = JSON.stringify([idOf(NELLY), idOf(RAHUL)]);
		const trigger = poller({ ...watch(), userIds });
		await trigger.poll();
		await mint(service(), RAHUL, '1');
		await mint(service(), NELLY, '2');
		const items = await trigger.poll();
		expect(items?.map(({ amount }) => amount).sort()).toEqual(['0.000001', '0.000002']);
	});
});

describe('switching on', () => {
	const watch = (): INodeParameters => ({ event: 'newTransfer', userIds: '' });

	test.each([
		['a wrong token', { accessToken: 'wrong-token' }, /The access token was rejected/],
		['a wrong port', { baseUrl: 'http://127.0.0.1:1' }, /could not be reached/],
		['no URL', { baseUrl: 'wallet' }, /is not a URL/],
	])('%s fails with a clear message', async (_name, changes, message) => {
		const credential = { ...service().credential(NELLY), ...changes };
		const failure = await failureOf(poller(watch(), { credential }).poll());
		expect(failure.message).toMatch(message);
		expect(failure.description).toMatch(/credential|URL|address/);
	});

	test('when n8n starts during an outage, the trigger stays on and goes on afterwards', async () => {
		const before = poller(watch());
		await before.poll();
		const { staticData } = before;
		await mint(service(), NELLY, '5');
		await service().faults.add({ kind: 'status-text' });
		const after = poller(watch(), { staticData, activation: 'init' });
		expect(await after.poll()).toBeUndefined();
		expect(await failureOf(after.poll())).toMatchObject({ httpCode: '500' });
		await service().faults.reset();
		expect(await after.poll()).toMatchObject([{ amount: '0.000005' }]);
	});
});

test('a poll that comes while another one is under way gives nothing', async () => {
	const trigger = poller({ event: 'newTransfer', userIds: idOf(NELLY) });
	await trigger.poll();
	await mint(service(), NELLY, '6');
	await service().faults.add({ kind: 'latency', params: { ms: 300 } });
	const [first, second] = await Promise.all([trigger.poll(), trigger.poll()]);
	expect(first).toMatchObject([{ amount: '0.000006' }]);
	expect(second).toBeUndefined();
	await service().faults.reset();
	expect(await trigger.poll()).toBeUndefined();
});

describe('Fetch test event', () => {
	const fetchSample = async (parameters: INodeParameters) => {
		const trigger = poller(parameters, { mode: 'manual', activation: 'manual' });
		const items = await trigger.poll();
		expect(trigger.staticData).toEqual({});
		return items;
	};

	test('gives the latest real transfer', async () => {
		const hash = await mint(service(), NELLY, '9');
		const items = await fetchSample({ event: 'newTransfer', userIds: idOf(NELLY) });
		expect(items).toMatchObject([{ hash, amount: '0.000009', direction: 'received' }]);
		expect(items?.[0]).not.toHaveProperty('sample');
	});

	test.each<[INodeParameters, IDataObject]>([
		[{}, { direction: 'received', amount: '1.5', symbol: 'EXAMPLE' }],
		[
			{ token: 'usd', minimumAmount: '1000000' },
			{ amount: '1000000', symbol: 'SUSD' },
		],
		[
			{ token: 'shapes', direction: 'sent' },
			{ direction: 'sent', symbol: 'not known' },
		],
	])('gives a marked example of the same form when there is none: %j', async (given, example) => {
		const [real] = (await fetchSample({ event: 'newTransfer', userIds: idOf(NELLY) })) ?? [];
		const tokens: Record<string, string> = { ...service().contracts };
		const token = tokens[String(given.token)] ?? '';
		const watched = { event: 'newTransfer', userIds: idOf(NEWCOMER), ...given, token };
		const [item = {}] = (await fetchSample(watched)) ?? [];
		const tokenAddress = token === '' ? expect.anything() : token.toLowerCase();
		expect(item).toMatchObject({ ...example, tokenAddress, who: 'not known' });
		expect(item.sample).toContain('made-up');
		expect(Object.keys(item)).toEqual(['sample', ...Object.keys(real ?? {})]);
		expect(Object.values(item)).not.toContain(null);
	});

	test.each([
		['above', 'above'],
		['below', 'below'],
		['both', 'above'],
	])('gives the real balance, and says that the change is not: %s', async (crossing, crossed) => {
		const threshold = { event: 'balanceCrossedThreshold', asset: 'native', threshold: '1' };
		const [item = {}] = (await fetchSample({ ...threshold, crossing, userIds: idOf(NELLY) })) ?? [];
		expect(item).toMatchObject({ symbol: 'ETH', difference: '0', crossed });
		expect(Object.entries(item)[0]).toEqual(['sample', expect.stringContaining('testing')]);
	});

	test('fails like a poll', async () => {
		await service().faults.add({ kind: 'status-text' });
		const trigger = poller({ event: 'newTransfer' }, { mode: 'manual', activation: 'manual' });
		expect(await failureOf(trigger.poll())).toMatchObject({ httpCode: '500' });
	});
});

test('the error of a poll tells n8n why it failed, and how long to wait', async () => {
	const trigger = poller({
		event: 'balanceChanged',
		userIds: idOf(NELLY),
		options: { maxTries: 1 },
	});
	await service().faults.add({
		kind: 'rate-limit',
		params: { retryAfter: 30 },
		match: { path: '/v1/.*' },
	});
	expect(await failureOf(trigger.poll())).toMatchObject({
		failure: { cause: 'rate-limited', retryAfterMs: 30_000 },
	});
});
