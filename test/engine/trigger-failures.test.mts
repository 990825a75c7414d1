/** The trigger when its parameters are refused or the service fails, and its test event in the editor. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../../sandbox/src/faults/fault.mts';
import type { Activation } from './support/poller.mts';
import { failureOf, useTriggerService } from './support/trigger-service.mts';

const { idOf, mint, poller, service } = useTriggerService();

/** The parameters of each event. */
const EVENTS: Record<string, () => INodeParameters> = {
	newTransfer: () => ({ userIds: idOf('Nelly') }),
	balanceChanged: () => ({
		userIds: idOf('Nelly'),
		asset: 'token',
		token: service().contracts.usd,
	}),
	balanceCrossedThreshold: () => ({
		userIds: idOf('Nelly'),
		asset: 'native',
		crossing: 'both',
		threshold: '1',
	}),
	contractValue: () => ({
		contractAddress: service().contracts.shapes,
		functionSource: 'signature',
		abi: 'stored() view returns (uint256)',
	}),
};
const [TRANSFER, CHANGE, CROSSING, VALUE] = Object.keys(EVENTS) as [string, string, string, string];
const watch = (event: string, more: INodeParameters = {}, settings?: Partial<Activation>) =>
	poller({ event, ...EVENTS[event]?.(), ...more }, settings);

describe('refused parameters', () => {
	const STORED = { abi: 'stored() view' };

	test.each<[event: string, parameters: INodeParameters, refused: string]>([
		[TRANSFER, { event: 'transfer' }, 'Event'],
		[TRANSFER, { userIds: 'nobody' }, 'User IDs'],
		[TRANSFER, { direction: 'incoming' }, 'Direction'],
		[TRANSFER, { minimumAmount: '5' }, 'Minimum Amount'],
		[TRANSFER, { options: { emitExisting: 'ja' } }, 'Options: Include What Exists When Published'],
		[CHANGE, { asset: 'erc20' }, 'Asset'],
		[CHANGE, { asset: '={{ "Token" }}' }, 'Asset'],
		[CHANGE, { token: '' }, 'Token'],
		[CHANGE, { minimumChange: '1,5' }, 'Minimum Change'],
		[CROSSING, { crossing: 'down' }, 'Alert When Balance'],
		[CROSSING, { threshold: '' }, 'Threshold'],
		[CROSSING, { crossing: 'above', hysteresis: '1' }, 'Alert Again After Recovering By'],
		[VALUE, { contractAddress: '' }, 'Contract Address'],
		[VALUE, { abi: '' }, 'Function Signature'],
		[VALUE, { abi: 'store(uint256) nonpayable' }, 'Function Signature'],
		[VALUE, STORED, 'Start When the Value'],
		[VALUE, { ...STORED, options: { decimals: 6 } }, 'Options: Scale by Decimals'],
		[VALUE, { options: { decimals: 300 } }, 'Options: Scale by Decimals'],
		[VALUE, { abi: 'echoInt(int256 a) view returns (int256)' }, 'a (int256)'],
		[VALUE, { valueCondition: 'above' }, 'Start When the Value'],
		[VALUE, { valueCondition: 'atLeast' }, 'Value'],
		[VALUE, { valueCondition: 'is', conditionValue: 'many' }, 'Value (uint256)'],
	])('%s with %j: %s', async (event, parameters, parameter) => {
		const trigger = watch(event, parameters);
		expect(await failureOf(trigger.poll())).toMatchObject({
			message: expect.stringContaining(parameter),
			description: expect.stringMatching(/\w/),
			context: { details: { code: 'invalid-input', parameter } },
		});
		expect(trigger.staticData['node:Trigger'] ?? {}).toEqual({});
		expect(await service().faults.requests()).toEqual([]);
	});

	const supply = { functionSource: 'commonFunction', readFunction: 'ERC-20 totalSupply()' };

	test.each<[event: string, parameters: INodeParameters, message: RegExp]>([
		[CHANGE, { minimumChange: '1.0000001' }, /^Minimum Change: "1.0000001" has 7 decimal places/],
		[
			VALUE,
			{ ...supply, valueCondition: 'atLeast', conditionValue: '12' },
			/^Value \(uint256\): "12" could mean whole tokens or base units/,
		],
	])('%s with %j, because of the token', async (event, parameters, message) => {
		const trigger = watch(event, { contractAddress: service().contracts.usd, ...parameters });
		expect((await failureOf(trigger.poll())).message).toMatch(message);
	});
});

const UNUSABLE_ANSWERS: FaultKind[] = [
	...(['wrong-shape', 'null', 'html', 'empty', 'broken-json', 'truncated-json'] as const),
	...(['failed', 'status-text', 'drop-before'] as const),
];

/** Parameters that read a balance through Contract Value. */
const balanceOf = () => ({
	contractAddress: service().contracts.usd,
	functionSource: 'commonFunction',
	argumentsMode: 'json',
	args: JSON.stringify([service().user('Nelly').address]),
});

/** The events, and the item, if any, that each returns when the balance grows by 3 base units. */
describe.each<[event: string, item?: IDataObject]>([
	[TRANSFER, { amount: '0.000003' }],
	[CHANGE, { difference: '0.000003' }],
	[CROSSING],
	[VALUE, { difference: '3' }],
])('%s', (event, item) => {
	test.each(UNUSABLE_ANSWERS)('an answer (%s) is an error and changes no state', async (kind) => {
		const trigger = watch(event, event === VALUE ? balanceOf() : {});
		await trigger.poll();
		const { staticData } = trigger;
		await mint('Nelly', '3');
		await service().faults.add({ kind, match: { path: '/v1/.*' } });
		const { message, description } = await failureOf(trigger.poll());
		expect(message).toMatch(event === VALUE ? /\w/ : idOf('Nelly'));
		expect(description).toMatch(/\w/);
		expect(trigger.staticData).toEqual(staticData);
		await service().faults.reset();
		expect(await trigger.poll()).toEqual(item && [expect.objectContaining(item)]);
	});
});

describe('several users', () => {
	const both = () => watch(TRANSFER, { userIds: `${idOf('Nelly')}\n${idOf('Rahul Sen')}` });
	const rahulFails = async () =>
		await service().faults.add({ kind: 'status-text', match: { path: '/v1/users/GOOGLE-.*' } });

	test('one that fails keeps its state, the others continue', async () => {
		const trigger = both();
		expect(await trigger.poll()).toBeUndefined();
		await mint('Nelly', '1');
		await mint('Rahul Sen', '2');
		await rahulFails();
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000001', userId: idOf('Nelly') }]);
		await service().faults.reset();
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000002', userId: idOf('Rahul Sen') }]);
	});

	test('one that is read later has its own start, which n8n is made to save', async () => {
		const trigger = both();
		await rahulFails();
		expect(await trigger.poll()).toBeUndefined();
		await service().faults.reset();
		expect(await trigger.poll()).toEqual([]);
		await mint('Rahul Sen', '3');
		expect(await trigger.poll()).toMatchObject([{ amount: '0.000003', gapPossible: false }]);
	});
});

describe('switching on', () => {
	const own = { event: TRANSFER, userIds: '' };

	test.each([
		['a wrong token', { accessToken: 'wrong-token' }, /The access token was rejected/],
		['a wrong port', { baseUrl: 'http://127.0.0.1:1' }, /could not be reached/],
	])('%s fails with a clear message', async (_name, changes, message) => {
		const credential = { ...service().credential('Nelly'), ...changes };
		const failure = await failureOf(poller(own, { credential }).poll());
		expect(failure.message).toMatch(message);
		expect(failure.description).toMatch(/credential|URL|address/);
	});

	test('when n8n starts during an outage, the trigger remains on and continues afterwards', async () => {
		const before = poller(own);
		await before.poll();
		const { staticData } = before;
		await mint('Nelly', '5');
		await service().faults.add({ kind: 'status-text' });
		const after = poller(own, { staticData, activation: 'init' });
		expect(await after.poll()).toBeUndefined();
		expect(await failureOf(after.poll())).toMatchObject({ httpCode: '500' });
		await service().faults.reset();
		expect(await after.poll()).toMatchObject([{ amount: '0.000005' }]);
	});
});

test('an error states its cause and the time to wait in a form that n8n reads', async () => {
	await service().faults.add({ kind: 'rate-limit', params: { retryAfter: 30 } });
	expect(await failureOf(watch(CHANGE).poll())).toMatchObject({
		failure: { cause: 'rate-limited', retryAfterMs: 30_000 },
	});
});

describe('Fetch Test Event', () => {
	const fetchSample = async (event: string, more: INodeParameters = {}) => {
		const trigger = watch(event, more, { mode: 'manual', activation: 'manual' });
		const [item = {}, ...others] = (await trigger.poll()) ?? [];
		expect(others).toEqual([]);
		expect(trigger.staticData).toEqual({});
		return item;
	};

	test('returns the latest real transfer', async () => {
		const hash = await mint('Nelly', '9');
		const item = await fetchSample(TRANSFER);
		expect(item).toMatchObject({ hash, amount: '0.000009', direction: 'received' });
		expect(item).not.toHaveProperty('sample');
	});

	test.each<['' | 'usd' | 'shapes', INodeParameters, IDataObject]>([
		['', {}, { direction: 'received', amount: '1.5', symbol: 'EXAMPLE' }],
		['usd', { minimumAmount: '1000000' }, { amount: '1000000', symbol: 'SUSD' }],
		['shapes', { direction: 'sent' }, { direction: 'sent', symbol: 'not known' }],
	])('returns a marked example of the same form if there is none: %s %j', async (...row) => {
		const [name, given, example] = row;
		const token = name && service().contracts[name];
		const item = await fetchSample(TRANSFER, { userIds: idOf('newcomer'), ...given, token });
		const tokenAddress = token === '' ? expect.anything() : token.toLowerCase();
		expect(item).toMatchObject({ ...example, tokenAddress, who: 'not known' });
		expect(item.sample).toContain('made-up');
		expect(Object.keys(item)).toEqual(['sample', ...Object.keys(await fetchSample(TRANSFER))]);
		expect(Object.values(item)).not.toContain(null);
	});

	test.each(['above', 'below', 'both'])('returns the real balance: %s', async (crossing) => {
		const item = await fetchSample(CROSSING, { crossing });
		const crossed = crossing === 'both' ? 'above' : crossing;
		expect(item).toMatchObject({ symbol: 'ETH', difference: '0', crossed });
		expect(Object.entries(item)[0]).toEqual(['sample', expect.stringContaining('testing')]);
	});

	test('returns the real value of a contract, and leaves the state alone', async () => {
		await service().submit('Nelly', 'shapes', 'store(uint256)', ['5']);
		const condition = { valueCondition: 'atLeast', conditionValue: '10', options: { decimals: 1 } };
		expect(await fetchSample(VALUE, condition)).toMatchObject({
			value: '0.5',
			previous: '0.5',
			difference: '0',
			direction: 'unchanged',
			condition: 'atLeast',
			comparedWith: '10',
			sample: 'Only for testing: the value is real, the change is not',
		});
	});

	test('fails like a poll', async () => {
		await service().faults.add({ kind: 'status-text' });
		expect(await failureOf(fetchSample(TRANSFER))).toMatchObject({ httpCode: '500' });
	});
});
