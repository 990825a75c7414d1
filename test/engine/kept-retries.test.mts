/** Retries at a service that lists what the first execution has sent: section 4 of the law of writes. */
import type { IDataObject, IRun } from 'n8n-workflow';

import { useResources } from '../support/resources.mts';
import { hashOf } from './support/answers.mts';
import { forgetAll } from './support/forget.mts';
import { HASH, KeptWrites } from './support/kept-writes.mts';
import { LossyRoad } from './support/lossy-road.mts';
import { CONTINUE } from './support/use-node.mts';
import { otherNode } from './support/workflow-parts.mts';

const resources = useResources();
const kept = new KeptWrites();
const { node } = kept;

afterEach(() => jest.restoreAllMocks());

const given = (options: IDataObject = {}) =>
	kept.pay('={{ $json.amount }}', { maxTries: 1, ...options });
const rows = (...amounts: string[]) => amounts.map((amount) => ({ amount }));

/** The execution, with a first step that returns other rows when it runs again. */
function withItems(run: IRun, items: readonly IDataObject[]): IRun {
	run.data.resultData.runData = {};
	run.data.resultData.pinData = { Start: items.map((json) => ({ json })) };
	const first = { node: otherNode('Start', 'n8n-nodes-base.manualTrigger') };
	const start = { ...first, data: { main: [[{ json: {} }]] }, source: null };
	run.data.executionData?.nodeExecutionStack.splice(0, Infinity, start);
	return run;
}

const withRows = (run: IRun, ...amounts: string[]) => withItems(run, rows(...amounts));

const marks = (items: readonly { json: IDataObject }[]) =>
	items.map(({ json }) => json.replayed ?? json.submitted ?? Object(json.details).code);

test('a payment that is still on its way when the Retry has moved its row is not made a second time', async () => {
	const road = await resources.use(LossyRoad.start(String(node.service.credential().baseUrl)));
	const credential = { ...node.service.credential(), baseUrl: road.url };
	await kept.fault('PUT', { kind: 'failed', times: 1 });
	let puts = 0;
	road.holds = ({ method, url }) =>
		url?.startsWith('/v1/writes/') === true && (method !== 'PUT' || ++puts === 2);
	const { run } = await node.run(given(), {
		...{ items: rows('1', '2'), node: CONTINUE, credential },
	});
	road.holds = () => false;
	forgetAll();
	const [count, { items }] = await kept.transactionsOf(async () => {
		const again = await node.run(given(), { retryOf: withRows(run, '2'), credential });
		expect(await road.deliver()).toBe(412);
		return again;
	}, 1);
	expect(count).toBe(1);
	expect(items).toMatchObject([{ json: { submitted: true, hash: HASH } }]);
});

test('what was unknown is decided, and what was not reached is sent', async () => {
	await kept.fault('PUT', {
		...{ kind: 'status-text', skip: 1, times: 1 },
		params: { status: 500, afterWork: true },
	});
	await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
	const [count, { items }] = await kept.transactionsOf(async () => {
		const { run: retryOf } = await node.run(given(), { items: rows('1', '2', '3') });
		return await node.run(given(), { retryOf });
	}, 3);
	expect(count).toBe(3);
	expect(marks(items)).toEqual([true, true, true]);
	expect(items.map(({ json }) => json.replayed)).toEqual([true, true, undefined]);
});

test('rows in another order are found, and only those that were not paid are sent', async () => {
	await kept.fault('PUT', { kind: 'failed', skip: 2, times: 1 });
	const [count, { items }] = await kept.transactionsOf(async () => {
		const { run } = await node.run(given(), { items: rows('1', '2', '3') });
		return await node.run(given(), { retryOf: withRows(run, '3', '2', '1') });
	}, 3);
	expect(count).toBe(3);
	expect(items.map(({ json }) => json.replayed)).toEqual([undefined, true, true]);
});

test('what cannot be looked up while the run is decided is found in its turn', async () => {
	await kept.fault('PUT', { kind: 'failed', skip: 2, times: 1 });
	const to = (name: 'mika_dev' | 'Rahul Sen') => node.service.user(name).id;
	const paid = { ...given(), recipient: '={{ $json.to }}' };
	const [first, second] = [
		{ amount: '1', to: to('Rahul Sen') },
		{ amount: '2', to: to('mika_dev') },
	];
	const third = { amount: '3', to: to('Rahul Sen') };
	const [count, { items }] = await kept.transactionsOf(async () => {
		const { run } = await node.run(paid, { items: [first, second, third] });
		const retryOf = withItems(run, [third, first, second]);
		forgetAll();
		const path = `/v1/users/${to('mika_dev')}`;
		await node.service.faults.add({ kind: 'status-text', times: 1, match: { path } });
		return await node.run(paid, { retryOf, node: CONTINUE });
	}, 3);
	expect(count).toBe(3);
	expect(items.map(({ json }) => json.replayed)).toEqual([undefined, true, true]);
});

test('an Order ID that was added before the Retry does not pay again', async () => {
	await kept.fault('PUT', { kind: 'failed', skip: 1, times: 1 });
	const [count, { items }] = await kept.transactionsOf(async () => {
		const { run: retryOf } = await node.run(given(), { items: rows('1', '2') });
		const orderId = `={{ "added ${kept.number} " + $json.amount }}`;
		return await node.run(given({ orderId }), { retryOf });
	}, 2);
	expect(count).toBe(2);
	expect(items.map(({ json }) => json.replayed)).toEqual([true, undefined]);
});

test('an order does not answer for another one, whatever its letters', async () => {
	await kept.fault('PUT', { kind: 'failed', skip: 1, times: 1 });
	const paid = given({ orderId: '={{ $json.order }}' });
	const order = (name: string) => ({ amount: '1', order: `März ${kept.number} ${name}` });
	const [count] = await kept.transactionsOf(async () => {
		const { run } = await node.run(paid, { items: [order('a'), order('b')] });
		const retryOf = withItems(run, [order('b'), order('a')]);
		const { items } = await node.run(paid, { retryOf });
		expect(items.map(({ json }) => json.replayed)).toEqual([undefined, true]);
	}, 2);
	expect(count).toBe(2);
});

test('an order is not answered by the equal payment of one that the Retry does not read again', async () => {
	await kept.fault('PUT', { kind: 'failed', skip: 1, times: 1 });
	const paid = given({ orderId: '={{ $json.order }}' });
	const order = (name: string) => ({ amount: '1', order: `${kept.number} ${name}` });
	const { run } = await node.run(paid, { items: [order('a'), order('b')] });
	const retryOf = withItems(run, [order('b'), order('c')]);
	const [count, { items }] = await kept.transactionsOf(
		async () => await node.run(paid, { retryOf, node: CONTINUE }),
		1,
	);
	expect(marks(items)).toEqual(['retry-conflict', true]);
	expect(items[0]?.json.error).toContain('paid another order for this item');
	expect(items[1]?.json.replayed).toBeUndefined();
	expect(count).toBe(1);
});

test('the service is asked once for all items and tries', async () => {
	await kept.fault('PUT', { kind: 'failed', times: 1 });
	const { run: retryOf } = await node.run(given(), { items: rows('1', '2', '3') });
	await node.service.faults.reset();
	await node.run(given(), { retryOf });
	expect(await node.service.faults.requestsFor('/v1/attempts')).toBe(1);
	expect(await kept.methods()).toEqual(['PUT', 'PUT', 'PUT']);
});

test('nothing is sent if the service does not list the writes', async () => {
	await kept.fault('PUT', { kind: 'failed', times: 1 });
	const { run: retryOf } = await node.run(given(), { items: rows('1', '2') });
	await node.service.faults.reset();
	await node.service.faults.add({ kind: 'drop-before', match: { path: '/v1/attempts' } });
	const { error } = await node.run(given(), { retryOf });
	expect(error?.context.details).toMatchObject({ outcome: 'unknown', code: 'not-sent-again' });
	expect(await kept.methods()).toEqual([]);
});

test.each([
	['the call', { key: 'a', status: 'SUCCESS', hash: hashOf(7) }],
	['the hash', { key: 'a', status: 'SUCCESS' }],
	['the key', { status: 'SUCCESS', hash: hashOf(7) }],
])('nothing is sent if a write in the list lacks %s', async (_what, write) => {
	await kept.fault('PUT', { kind: 'failed', times: 1 });
	const { run: retryOf } = await node.run(given(), { items: rows('1', '2') });
	await node.service.faults.reset();
	const params = { status: 200, body: JSON.stringify({ attempt: 1, writes: [write] }) };
	const match = { path: '/v1/attempts' };
	await node.service.faults.add({ kind: 'status-text', params, match });
	const { error } = await node.run(given(), { retryOf });
	expect(error?.message).toContain('The service did not list what was sent before');
	expect(error?.context.details).toMatchObject({ outcome: 'unknown' });
	expect(await kept.methods()).toEqual([]);
});

test('the key of a write that came to nothing is that of no other payment', async () => {
	await kept.fault('PUT', { kind: 'failed', times: 1 });
	const { run: retryOf } = await node.run(given(), { items: rows('1') });
	const keys = async () =>
		(await node.service.faults.requests()).flatMap(({ method, path }) => {
			return method === 'PUT' ? decodeURIComponent(path.split('/').at(-1) ?? '') : [];
		});
	const [key = ''] = await keys();
	await node.service.faults.reset();
	const writes = [{ key, status: 'FAILED', error: 'Another transaction took its place' }];
	const params = { status: 200, body: JSON.stringify({ attempt: 0, writes }) };
	const match = { path: '/v1/attempts' };
	await node.service.faults.add({ kind: 'status-text', params, match });
	const { items } = await node.run(given(), { retryOf });
	expect(items).toMatchObject([{ json: { hash: HASH } }]);
	expect(await keys()).toEqual([expect.not.stringMatching(key)]);
});

test.each([
	['the service', {}],
	['the credential', { allowedContracts: `0x${'12'.repeat(20)}` }],
])(
	'a Retry that %s refuses is certain: no request of the first execution is carried out later',
	async (_who, limits) => {
		const road = await resources.use(LossyRoad.start(String(node.service.credential().baseUrl)));
		const credential = { ...node.service.credential(), baseUrl: road.url };
		road.holds = ({ url }) => url?.startsWith('/v1/writes/') === true;
		const { run: retryOf } = await node.run(kept.write({ maxTries: 1 }), { credential });
		road.holds = () => false;
		forgetAll();
		await kept.fault('PUT', { kind: 'failed', times: 1 });
		const again = { retryOf, credential: { ...credential, ...limits } };
		const { error } = await node.run(kept.write(), again);
		expect(error?.context.details).toMatchObject({ outcome: 'refused' });
		await node.service.faults.clear();
		expect(await road.deliver()).toBe(412);
	},
);

test('a Retry keeps what it has asked for until its run has ended, however long that takes', async () => {
	const road = await resources.use(LossyRoad.start(String(node.service.credential().baseUrl)));
	const credential = { ...node.service.credential(), baseUrl: road.url };
	await kept.fault('PUT', { kind: 'failed', times: 2 });
	const { id, address } = node.service.user('Rahul Sen');
	const paid = { ...given(), recipient: '={{ $json.to }}' };
	// Equal, but the second one needs a look-up, which fails while the run is decided.
	const items = [address, id].map((to) => ({ amount: '1', to }));
	const [count, output] = await kept.transactionsOf(async () => {
		const { run: retryOf } = await node.run(paid, { items, node: CONTINUE, credential });
		const match = { path: `/v1/users/${id}` };
		await node.service.faults.add({ kind: 'status-text', times: 1, match });
		road.holds = ({ method }) => {
			if (method === 'PUT' && !jest.isMockFunction(performance.now)) forgetAll();
			return false;
		};
		return await node.run(paid, { retryOf: withItems(retryOf, items), node: CONTINUE, credential });
	}, 2);
	expect(output.items.map(({ json }) => json.replayed)).toEqual([undefined, undefined]);
	expect(count).toBe(2);
});
