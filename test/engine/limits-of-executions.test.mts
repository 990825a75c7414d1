/** A write counts once for the limits of its execution, by its key and account: no more, and no less. */
import type { IDataObject } from 'n8n-workflow';

import type { Username } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';
import { forgetAll } from './support/forget.mts';
import type { Cut, KeyFault } from './support/kept-writes.mts';
import { KeptWrites, lost } from './support/kept-writes.mts';
import { LossyRoad } from './support/lossy-road.mts';
import { readAgain } from './support/retried-runs.mts';
import { marksOf } from './support/rows.mts';
import { CONTINUE, RETRY } from './support/use-node.mts';

const resources = useResources();
const kept = new KeptWrites();
const { node } = kept;

afterEach(() => jest.restoreAllMocks());

/** The credential with a limit per execution, such as `100 wei`. */
const limited = (maxValuePerExecution: string, more: IDataObject = {}) => ({
	...node.service.credential(),
	maxValuePerExecution,
	...more,
});
/** Parameters that pay `wei` of each item, with an Order ID or options. */
const payments = (options: IDataObject = {}): IDataObject => {
	const pay = { abi: 'pay() payable', args: '[]' };
	return kept.write({ nativeCoin: '={{ $json.wei }} wei', maxTries: 1, ...options }, pay);
};
const orders = () => payments({ orderId: `={{ $json.order }} ${kept.number}` });

const params = {
	status: 410,
	body: '{"status":"FAILED"}',
	headers: { 'content-type': 'application/json' },
};
const ENDED: KeyFault = ['PUT', { kind: 'status-text', times: 1, skip: 1, params }];
/** Payments of orders, each named by a letter. */
const payOf = (names: string, ...wei: number[]) =>
	wei.map((one, index) => ({ order: names[index] ?? '', wei: one }));

test.each([
	{
		law: 'another call of an order does not take out what the order may have paid',
		faults: lost('drop-after'),
		items: payOf('aab', 60, 50, 60),
		count: 1,
		marks: ['connection-lost', 'order-conflict', 'policy-refused'],
	},
	{
		law: 'of two calls of an order that may have been sent, the one that moves more counts',
		faults: lost('drop-after', 2),
		items: payOf('aab', 60, 1, 60),
		count: 1,
		marks: ['connection-lost', 'connection-lost', 'policy-refused'],
	},
	{
		law: 'an order that is paid once more, because its key was used up, counts with what it pays now',
		faults: [ENDED],
		items: payOf('aab', 10, 90, 90),
		count: 2,
		marks: [true, true, 'policy-refused'],
	},
	{
		law: 'an equal call that was decided never to take place counts no longer',
		faults: lost('drop-before'),
		items: payOf('', 60, 60),
		count: 1,
		marks: ['connection-lost', true],
	},
])('$law', async ({ faults, items, count, marks }) => {
	await kept.program(faults);
	const parameters = items[0]?.order === '' ? payments() : orders();
	const settings = { items, node: CONTINUE, credential: limited('100 wei') };
	const work = async () => await node.run(parameters, settings);
	const [sent, output] = await kept.transactionsOf(work, count);
	expect([sent, marksOf(output.items)]).toEqual([count, marks]);
});

test.each([
	['', CONTINUE, [true, 'policy-refused', 'policy-refused']],
	[', also in a list that is checked', {}, []],
])('one Order ID of several users counts for each of them%s', async (_what, settings, marks) => {
	const items = (['Nelly', 'Rahul Sen', 'mika_dev'] as Username[]).map((name) => {
		const { accessToken, id } = node.service.user(name);
		return { order: 'november', wei: 60, accessToken, id };
	});
	const ofItem = { accessToken: '={{ $json.accessToken }}', userId: '={{ $json.id }}' };
	const credential = limited('100 wei', ofItem);
	const { items: output, error } = await node.run(orders(), { items, node: settings, credential });
	const code = marks.length === 0 ? 'policy-refused' : undefined;
	expect([marksOf(output), Object(error?.context.details).code]).toEqual([marks, code]);
});

test('of two tokens, both count', async () => {
	const { contracts, user } = node.service;
	await kept.program(lost('drop-after', 2));
	const pay = {
		...kept.pay('={{ $json.amount }}', { orderId: `={{ $json.order }}`, maxTries: 1 }),
		token: '={{ $json.token }}',
		recipient: user('Rahul Sen').address,
	};
	const items = [
		{ order: 'a', amount: '6', token: contracts.usd },
		{ order: 'a', amount: '1', token: contracts.gold },
		{ order: 'b', amount: '6', token: contracts.usd },
	];
	const amountLimits = `10 ${contracts.usd}\n10 ${contracts.gold}`;
	const credential = { ...node.service.credential(), amountLimits };
	const result = await node.run(pay, { items, node: CONTINUE, credential });
	expect(marksOf(result.items)).toEqual(['connection-lost', 'connection-lost', 'policy-refused']);
});

/** Two payments, and the limit that both of them reach. */
const PAYMENTS = {
	tokens: () => ({
		parameters: kept.pay('1.5', { maxTries: 1 }),
		credential: { ...node.service.credential(), amountLimits: `3 ${node.service.contracts.usd}` },
	}),
	'native coin': () => ({
		parameters: payments({ nativeCoin: '9 wei' }),
		credential: limited('18 wei'),
	}),
};

test.each<[how: string, of: keyof typeof PAYMENTS, put: Cut, end: Cut]>([
	['a try of n8n', 'tokens', 'drop-before', 'drop-before'],
	['a try of n8n', 'tokens', 'drop-after', 'drop-before'],
	['a try of n8n', 'native coin', 'drop-before', 'drop-before'],
	['a Retry', 'tokens', 'drop-after', 'drop-before'],
	['a Retry', 'native coin', 'drop-before', 'drop-after'],
	['a Retry after a day', 'native coin', 'drop-before', 'drop-before'],
])('%s counts what was unknown once: %s, %s, %s', async (how, of, put, end) => {
	await kept.program(lost(put, 1, end));
	const { parameters, credential } = PAYMENTS[of]();
	const items = [{}, {}];
	const [count, marks] = await kept.transactionsOf(async () => {
		const isTry = how === 'a try of n8n';
		const first = await node.run(parameters, { items, credential, node: isTry ? RETRY : {} });
		if (isTry) return marksOf(first.items);
		if (how === 'a Retry after a day') {
			forgetAll();
			// Any other execution lets the old ones be dropped.
			await node.run(kept.write({ maxTries: 1 }, { args: `["${kept.number}99"]` }));
		}
		return marksOf((await node.run(parameters, { retryOf: first.run, credential })).items);
	}, 2);
	expect(marks).toEqual([true, true]);
	expect(count).toBe(how === 'a Retry after a day' ? 3 : 2);
	const { error } = await node.run(parameters, { items: [{}, {}, {}], credential });
	expect(error?.context.details).toMatchObject({ code: 'policy-refused' });
});

test('what the service never lets take place counts no longer in a Retry, although its row has moved', async () => {
	await kept.program(lost('drop-before'));
	const credential = limited('9 wei');
	const payAt = (item: number) =>
		payments({ nativeCoin: `={{ $itemIndex === ${item} ? 9 : 0 }} wei` });
	const items = [{ wei: 1 }, { wei: 2 }];
	const first = await node.run(payAt(0), { items, node: CONTINUE, credential });
	expect(first.items[0]?.json).toMatchObject({ details: { outcome: 'unknown' } });
	const retryOf = readAgain(first.run, items);
	const again = await node.run(payAt(1), { retryOf, node: CONTINUE, credential });
	expect(marksOf(again.items)).toEqual([true, true]);
});

test('a replay counts no longer, even if the credential cannot be read after it', async () => {
	const order = `order ${kept.number}`;
	const nativeCoin = '60 wei';
	await node.items(payments({ orderId: order, nativeCoin }));
	const road = await resources.use(LossyRoad.start(String(node.service.credential().baseUrl)));
	let [broken, fails] = [false, 0];
	road.holds = ({ method }) => {
		broken = method === 'PUT' && fails === 0;
		return false;
	};
	const { accessToken = '', ...other } = limited('100 wei', { baseUrl: road.url }) as IDataObject;
	const credential = {
		...other,
		get accessToken() {
			if (!broken) return accessToken as string;
			[broken, fails] = [false, fails + 1];
			throw new Error('locked');
		},
	};
	const orderId = `={{ $itemIndex === 0 ? '${order}' : 'next ${order}' }}`;
	const settings = { items: [{}, {}], node: CONTINUE, credential: credential as never };
	const again = await node.run(payments({ orderId, nativeCoin }), settings);
	expect(fails).toBe(1);
	expect(again.items[1]?.json).toMatchObject({ submitted: true });
});
