/** The trigger when the service fails, and its test event in the editor. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../../sandbox/src/faults/fault.mts';
import {
	failureOf,
	NELLY,
	NEWCOMER,
	RAHUL,
	useTriggerService,
} from './support/trigger-service.mts';

const { call, idOf, mint, poller, service } = useTriggerService();

/** The parameters of each event, and the item for 3 more base units. */
const EVENTS: [event: string, watched: () => INodeParameters, item?: IDataObject][] = [
	['newTransfer', () => ({ userIds: idOf(NELLY) }), { amount: '0.000003' }],
	[
		'balanceChanged',
		() => ({ userIds: idOf(NELLY), asset: 'token', token: service().contracts.usd }),
		{ difference: '0.000003' },
	],
	[
		'balanceCrossedThreshold',
		() => ({ userIds: idOf(NELLY), asset: 'native', crossing: 'both', threshold: '1' }),
	],
	[
		'contractValue',
		() => ({
			contractAddress: service().contracts.usd,
			...{ argumentsMode: 'json', args: JSON.stringify([service().user(NELLY).address]) },
		}),
		{ difference: '3' },
	],
];

const UNUSABLE_ANSWERS: FaultKind[] = [
	...(['wrong-shape', 'null', 'html', 'empty', 'broken-json', 'truncated-json'] as const),
	...(['failed', 'status-text', 'drop-before'] as const),
];

describe.each(EVENTS)('%s', (event, watched, item) => {
	test.each(UNUSABLE_ANSWERS)(
		'an answer of kind %s is an error and moves nothing',
		async (kind) => {
			const trigger = poller({ event, ...watched() });
			await trigger.poll();
			const { staticData } = trigger;
			await mint(NELLY, '3');
			await service().faults.add({ kind, match: { path: '/v1/.*' } });
			const { message, description } = await failureOf(trigger.poll());
			expect(message).toMatch(event === 'contractValue' ? /\w/ : idOf(NELLY));
			expect(description).toMatch(/\w/);
			expect(trigger.staticData).toEqual(staticData);
			await service().faults.reset();
			expect(await trigger.poll()).toEqual(item && [expect.objectContaining(item)]);
		},
	);
});

describe('several users', () => {
	const watch = () => ({ event: 'newTransfer', userIds: `${idOf(NELLY)}\n${idOf(RAHUL)}` });
	const rahulFails = async () =>
		await service().faults.add({ kind: 'status-text', match: { path: '/v1/users/GOOGLE-.*' } });

	test('one that fails keeps its state, the others continue', async () => {
		const trigger = poller(watch());
		expect(await trigger.poll()).toBeUndefined();
		await mint(NELLY, '1');
		await mint(RAHUL, '2');
		await rahulFails();
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000001', userId: idOf(NELLY) }]);
		await service().faults.reset();
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000002', userId: idOf(RAHUL) }]);
	});

	test('one that is read later has its own start, which n8n is made to save', async () => {
		const trigger = poller(watch());
		await rahulFails();
		expect(await trigger.poll()).toBeUndefined();
		await service().faults.reset();
		expect(await trigger.poll()).toEqual([]);
		await mint(RAHUL, '3');
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000003', gapPossible: false }]);
	});
});

describe('switching on', () => {
	const watch = { event: 'newTransfer', userIds: '' };

	test.each([
		['a wrong token', { accessToken: 'wrong-token' }, /The access token was rejected/],
		['a wrong port', { baseUrl: 'http://127.0.0.1:1' }, /could not be reached/],
		['no URL', { baseUrl: 'wallet' }, /is not a URL/],
	])('%s fails with a clear message', async (_name, changes, message) => {
		const credential = { ...service().credential(NELLY), ...changes };
		const failure = await failureOf(poller(watch, { credential }).poll());
		expect(failure.message).toMatch(message);
		expect(failure.description).toMatch(/credential|URL|address/);
	});

	test('when n8n starts during an outage, the trigger remains on and continues afterwards', async () => {
		const before = poller(watch);
		await before.poll();
		const { staticData } = before;
		await mint(NELLY, '5');
		await service().faults.add({ kind: 'status-text' });
		const after = poller(watch, { staticData, activation: 'init' });
		expect(await after.poll()).toBeUndefined();
		expect(await failureOf(after.poll())).toMatchObject({ httpCode: '500' });
		await service().faults.reset();
		expect(await after.poll()).toMatchObject([{ amount: '0.000005' }]);
	});
});

test('an error states its cause and the time to wait in n8n’s own form', async () => {
	await service().faults.add({ kind: 'rate-limit', params: { retryAfter: 30 } });
	const trigger = poller({ event: 'balanceChanged', userIds: idOf(NELLY) });
	expect(await failureOf(trigger.poll())).toMatchObject({
		failure: { cause: 'rate-limited', retryAfterMs: 30_000 },
	});
});

describe('Fetch Test Event', () => {
	const fetchSample = async (parameters: INodeParameters) => {
		const trigger = poller(parameters, { mode: 'manual', activation: 'manual' });
		const [item = {}, ...others] = (await trigger.poll()) ?? [];
		expect(others).toEqual([]);
		expect(trigger.staticData).toEqual({});
		return item;
	};
	const transfer = (more: INodeParameters = {}) =>
		fetchSample({ event: 'newTransfer', userIds: idOf(NELLY), ...more });

	test('returns the latest real transfer', async () => {
		const hash = await mint(NELLY, '9');
		const item = await transfer();
		expect(item).toMatchObject({ hash, amount: '0.000009', direction: 'received' });
		expect(item).not.toHaveProperty('sample');
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
	])('returns a marked example of the same form if there is none: %j', async (given, example) => {
		const tokens: Record<string, string> = { ...service().contracts };
		const token = tokens[String(given.token)] ?? '';
		const item = await transfer({ userIds: idOf(NEWCOMER), ...given, token });
		const tokenAddress = token === '' ? expect.anything() : token.toLowerCase();
		expect(item).toMatchObject({ ...example, tokenAddress, who: 'not known' });
		expect(item.sample).toContain('made-up');
		expect(Object.keys(item)).toEqual(['sample', ...Object.keys(await transfer())]);
		expect(Object.values(item)).not.toContain(null);
	});

	test.each([
		['above', 'above'],
		['below', 'below'],
		['both', 'above'],
	])(
		'returns the real balance, and states that the change is not: %s',
		async (crossing, crossed) => {
			const threshold = { event: 'balanceCrossedThreshold', asset: 'native', threshold: '1' };
			const item = await fetchSample({ ...threshold, crossing, userIds: idOf(NELLY) });
			expect(item).toMatchObject({ symbol: 'ETH', difference: '0', crossed });
			expect(Object.entries(item)[0]).toEqual(['sample', expect.stringContaining('testing')]);
		},
	);

	test('returns the real value of a contract, and leaves the state alone', async () => {
		const contractAddress = service().contracts.shapes;
		await call(NELLY, contractAddress, 'store(uint256)', '5');
		const abi = 'stored() view returns (uint256)';
		const watch = { event: 'contractValue', contractAddress, functionSource: 'signature', abi };
		const condition = { valueCondition: 'atLeast', conditionValue: '10' };
		expect(await fetchSample({ ...watch, ...condition, options: { decimals: 1 } })).toMatchObject({
			...{ value: '0.5', previous: '0.5', difference: '0', direction: 'unchanged' },
			...{ condition: 'atLeast', comparedWith: '10' },
			sample: 'Only for testing: the value is real, the change is not',
		});
	});

	test('fails like a poll', async () => {
		await service().faults.add({ kind: 'status-text' });
		expect(await failureOf(transfer())).toMatchObject({ httpCode: '500' });
	});
});
