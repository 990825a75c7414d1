/** A Retry asks its service once for what was sent, and begins a new attempt: what an earlier one has on its way is not accepted. */
import { useResources } from '../support/resources.mts';
import { hashOf } from './support/answers.mts';
import { forgetAll } from './support/forget.mts';
import { HASH, KeptWrites } from './support/kept-writes.mts';
import { LossyRoad } from './support/lossy-road.mts';
import { readAgain } from './support/retried-runs.mts';
import { replaysOf, rows } from './support/rows.mts';
import { CONTINUE } from './support/use-node.mts';

const resources = useResources();
const kept = new KeptWrites();
const { node } = kept;

afterEach(() => jest.restoreAllMocks());

const given = () => kept.pay('={{ $json.amount }}', { maxTries: 1 });

/** A road to the service, and the credential that leads there. */
async function roadToService() {
	const road = await resources.use(LossyRoad.start(String(node.service.credential().baseUrl)));
	return { road, credential: { ...node.service.credential(), baseUrl: road.url } };
}

/** Lets the service answer so when it is asked what was sent. */
async function listsNothingBut(writes: readonly object[], attempt = 1): Promise<void> {
	const params = { status: 200, body: JSON.stringify({ attempt, writes }) };
	const match = { path: '/v1/attempts' };
	await node.service.faults.add({ kind: 'status-text', params, match });
}

test('a payment that is still on its way when the Retry has moved its row is not made a second time', async () => {
	const { road, credential } = await roadToService();
	await kept.fault('PUT', { kind: 'failed', times: 1 });
	let puts = 0;
	road.holds = ({ method, url }) =>
		url?.startsWith('/v1/writes/') === true && (method !== 'PUT' || ++puts === 2);
	const { run } = await node.run(given(), { items: rows('1', '2'), node: CONTINUE, credential });
	road.holds = () => false;
	forgetAll();
	const [count, { items }] = await kept.transactionsOf(async () => {
		const again = await node.run(given(), { retryOf: readAgain(run, rows('2')), credential });
		expect(await road.deliver()).toBe(412);
		return again;
	}, 1);
	expect(count).toBe(1);
	expect(items).toMatchObject([{ json: { submitted: true, hash: HASH } }]);
});

test('the service is asked once for all items and tries', async () => {
	await kept.fault('PUT', { kind: 'failed', times: 1 });
	const { run: retryOf } = await node.run(given(), { items: rows('1', '2', '3') });
	await node.service.faults.reset();
	await node.run(given(), { retryOf });
	expect(await node.service.faults.requestsFor('/v1/attempts')).toBe(1);
	expect(await kept.methods()).toEqual(['PUT', 'PUT', 'PUT']);
});

const [NOT_LISTED, NOT_ASKED] = ['did not list what was sent before', 'could not be asked'];
const listed = { key: 'a', status: 'SUCCESS', hash: hashOf(7) };
const CUT = { kind: 'drop-before', match: { path: '/v1/attempts' } } as const;

describe.each<[why: string, words: string, fail: () => Promise<void>]>([
	['the service cannot be asked', NOT_ASKED, async () => await node.service.faults.add(CUT)],
	...['hash', 'key', 'call'].map((part): [string, string, () => Promise<void>] => [
		...([`a write in its list lacks the ${part}`, NOT_LISTED] as const),
		async () => await listsNothingBut([{ ...listed, [part]: undefined }]),
	]),
])('nothing is sent if %s', (_why, words, fail) => {
	test.each([{}, CONTINUE])('(%j)', async (settings) => {
		await kept.fault('PUT', { kind: 'failed', times: 1 });
		const { run } = await node.run(given(), { items: rows('1', '2') });
		await node.service.faults.reset();
		await fail();
		const retryOf = readAgain(run, rows('2', '3'));
		const { error, items } = await node.run(given(), { retryOf, node: settings });
		const told = [error?.context.details ?? [], ...items.map(({ json }) => json.details)].flat();
		expect(told).toHaveLength(error ? 1 : 2);
		for (const one of told)
			expect(one).toMatchObject({ outcome: 'unknown', code: 'not-sent-again' });
		expect(error?.message ?? items[0]?.json.error).toContain(words);
		expect(await kept.methods()).toEqual([]);
	});
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
	await listsNothingBut(writes, 0);
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
		const { road, credential } = await roadToService();
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
	const { road, credential } = await roadToService();
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
		return await node.run(paid, { retryOf: readAgain(retryOf, items), node: CONTINUE, credential });
	}, 2);
	expect(replaysOf(output.items)).toEqual([false, false]);
	expect(count).toBe(2);
});
