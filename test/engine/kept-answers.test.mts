/** What an answer about a key proves: only what certainly is of the service, and about this write. */
import { until } from '../support/until.mts';
import { hashOf } from './support/answers.mts';
import { HASH, KeptWrites } from './support/kept-writes.mts';
import { CONTINUE, RETRY, useNode } from './support/use-node.mts';

const kept = new KeptWrites();
const { node } = kept;

const LATE = { afterWork: true };
const OTHER_HASH = `0x${'ab'.repeat(32)}`;

/** The answer of something else, or of a service that lost a header. */
interface Foreign {
	readonly status: number;
	readonly body: string;
	readonly headers?: Record<string, string>;
}

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
const GONE: Foreign = { status: 410, body: '<html><title>Gone</title></html>' };
const FAILED: Foreign = { status: 200, body: '{"status":"FAILED","error":"busy"}', ...JSON_TYPE };

/** Lets the first PUT be carried out without an answer. */
async function loseFirst(): Promise<void> {
	await kept.fault('PUT', { kind: 'status-text', params: { status: 500, ...LATE }, times: 1 });
}

test.each<[string, Foreign]>([
	['410 of a proxy', GONE],
	['422 of a proxy', { status: 422, body: 'No' }],
	['FAILED', FAILED],
])(
	'(%s) to the repeat of a write proves nothing about the first request',
	async (_name, answer) => {
		await loseFirst();
		await kept.fault('PUT', { kind: 'status-text', params: { ...answer }, times: 1 });
		const [count, [item]] = await kept.transactionsOf(async () => await node.items(kept.write()));
		expect(item).toMatchObject({ submitted: true, hash: HASH });
		expect(count).toBe(1);
		expect(await kept.methods()).toEqual(['PUT', 'PUT', 'DELETE']);
	},
);

test('a 422 to the repeat of a write that did not arrive is decided by the fence', async () => {
	await kept.fault('PUT', { kind: 'drop-before', times: 1 });
	await kept.fault('PUT', { kind: 'status-text', params: { status: 422, body: 'No' }, times: 1 });
	const { error } = await node.run(kept.write());
	expect(error?.context.details).toMatchObject({ outcome: 'refused' });
	expect(await kept.methods()).toEqual(['PUT', 'PUT', 'DELETE']);
});

test('a refusal at a later attempt proves nothing about an earlier one of unknown outcome', async () => {
	await loseFirst();
	await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
	await kept.fault('PUT', { kind: 'status-text', params: { status: 400, body: 'No' }, times: 1 });
	const [count, [item]] = await kept.transactionsOf(
		async () => await node.items(kept.write({ maxTries: 1 }), { node: { ...RETRY, maxTries: 2 } }),
	);
	expect(item).toMatchObject({ submitted: true, hash: HASH, replayed: true });
	expect(count).toBe(1);
	expect(await kept.methods()).toEqual(['PUT', 'DELETE', 'PUT', 'DELETE']);
});

describe.each<[string, Foreign]>([
	['410', GONE],
	['403', { status: 403, body: '<html><title>Access denied</title></html>' }],
	['404', { status: 404, body: '404 page not found' }],
	['400 without words', { status: 400, body: '' }],
])('a %s of a proxy', (_name, answer) => {
	test('refuses the write once the service has confirmed that it has none', async () => {
		await kept.fault('PUT', { kind: 'status-text', params: { ...answer } });
		const [count, { error }] = await kept.transactionsOf(async () => await node.run(kept.write()));
		const { status } = answer;
		expect(error?.context.details).toMatchObject({ outcome: 'refused', httpStatus: status });
		expect(await kept.methods()).toEqual(['PUT', 'DELETE']);
		expect(count).toBe(0);
	});

	test('after the work is not believed: the write is found under its key', async () => {
		await kept.fault('PUT', { kind: 'status-text', params: { ...answer, ...LATE } });
		const [count, [item]] = await kept.transactionsOf(async () => await node.items(kept.write()));
		expect(item).toMatchObject({ submitted: true, hash: HASH });
		expect(item).not.toHaveProperty('replayed');
		expect(count).toBe(1);
	});
});

test.each([
	['a write', {}],
	['an order', { orderId: 'of another call' }],
])(
	'%s is not reported as done with the recorded answer of another call',
	async (_what, options) => {
		const paid = kept.pay('1.5', { orderId: `other ${kept.number}` });
		const [other] = await node.items(paid);
		const [raw] = await node.items({ ...paid, simplify: false });
		const { replayed, ...recorded } = raw ?? {};
		expect(replayed).toBe(true);
		const headers = { ...JSON_TYPE.headers, 'idempotency-replayed': 'true' };
		const body = JSON.stringify(recorded);
		await kept.fault('PUT', { kind: 'status-text', params: { status: 200, body, headers } });
		const [count, { error, items }] = await kept.transactionsOf(
			async () => await node.run(kept.pay('2', options)),
		);
		expect(items).toEqual([]);
		expect(count).toBe(0);
		expect(error?.context.details).toMatchObject({ outcome: 'refused', hashes: [other?.hash] });
		expect(error?.message).toContain('1.5 SUSD to Rahul Sen');
		expect(error?.message).toContain('This item asks for 2 SUSD');
	},
);

test('a lost answer is not asked for again as another user, whose wallet would pay as well', async () => {
	await kept.fault('PUT', { kind: 'status-text', params: { status: 500, ...LATE }, times: 1 });
	const rahul = node.service.user('Rahul Sen');
	const { chain } = node.service;
	const ofRahul = async () => await chain.getTransactionCount(rahul.address);
	const before = await ofRahul();
	let isSent = false;
	void until(async () => (isSent = (await kept.methods()).length > 0));
	const { accessToken: nelly, ...others } = node.service.credential();
	const credential = {
		...others,
		get accessToken() {
			return isSent ? rahul.accessToken : String(nelly);
		},
	};
	const [count, { items }] = await kept.transactionsOf(
		async () => await node.run(kept.write(), { credential }),
	);
	expect(count).toBe(1);
	expect(await ofRahul()).toBe(before);
	expect(items[0]?.json).toMatchObject({ submitted: true, hash: HASH });
});

test.each<[string, Foreign]>([
	['410 of a proxy', GONE],
	['FAILED', FAILED],
	['FAILED with a hash', { ...FAILED, body: `{"status":"FAILED","hash":"${OTHER_HASH}"}` }],
	['404 of a proxy', { status: 404, body: '<html></html>' }],
	['a page', { status: 200, body: '<html></html>' }],
])('(%s) to the fence leaves the outcome unknown', async (_name, answer) => {
	await loseFirst();
	await kept.fault('DELETE', { kind: 'status-text', params: { ...answer } });
	const [count, { error }] = await kept.transactionsOf(
		async () => await node.run(kept.write({ maxTries: 1 })),
	);
	expect(error?.context.details).toMatchObject({ outcome: 'unknown' });
	expect(count).toBe(1);
});

test('a recorded answer without its header is not reported as sent now', async () => {
	const submittedAt = '2026-01-02T03:04:05.678Z';
	const body = JSON.stringify({ status: 'SUCCESS', hash: OTHER_HASH, submittedAt });
	await kept.fault('PUT', { kind: 'status-text', params: { status: 200, body, ...JSON_TYPE } });
	const [item] = await node.items(kept.write());
	expect(item).toMatchObject({ hash: OTHER_HASH, replayed: true, submittedAt });
});

test.each([
	['as its own', (time: string) => time],
	['with +00', (time: string) => time.replace('T', ' ').replace('Z', '+00')],
	['in the basic form', (time: string) => time.replace(/[-:]/g, '')],
])('a record made by an attempt of this run is its own, its time written %s', async (_n, write) => {
	await loseFirst();
	// A transaction counts for one call only.
	const hash = hashOf(kept.number);
	const submittedAt = write(new Date(Date.now()).toISOString());
	const body = JSON.stringify({ status: 'SUCCESS', hash, submittedAt });
	await kept.fault('PUT', { kind: 'status-text', params: { status: 200, body, ...JSON_TYPE } });
	const [item] = await node.items(kept.write());
	expect(item).toMatchObject({ submitted: true, hash });
	expect(item).not.toHaveProperty('replayed');
});

test('the hash in an answer that is not believed stands in the item', async () => {
	const body = JSON.stringify({ error: 'busy', hash: OTHER_HASH });
	await kept.fault('PUT', {
		kind: 'status-text',
		times: 1,
		params: { status: 500, body, ...JSON_TYPE },
	});
	const [item] = await node.items(kept.write());
	expect(item).toMatchObject({ submitted: true, hash: HASH, earlierHashes: [OTHER_HASH] });
});

test('an order that was paid with other values names its hash, even if the record cannot be read', async () => {
	const order = { orderId: `conflict ${kept.number}`, maxTries: 1 };
	const [paid] = await node.items(kept.pay('1.5', order));
	for (const method of ['GET', 'DELETE']) {
		await kept.fault(method, { kind: 'status-text', params: { status: 503 } });
	}
	const { error } = await node.run(kept.pay('2', order));
	expect(error?.context.details).toMatchObject({ outcome: 'refused', hashes: [paid?.hash] });
});

describe('a 422 of a proxy that names a hash, after the work,', () => {
	beforeEach(async () => {
		const params = { ...LATE, status: 422, body: JSON.stringify({ hash: OTHER_HASH }) };
		await kept.fault('PUT', { kind: 'status-text', params: { ...params, ...JSON_TYPE }, times: 1 });
	});

	test('is decided: what was sent is not a repeat, counts and is logged', async () => {
		const credential = { ...node.service.credential(), maxValuePerExecution: '9 wei' };
		const call = { abi: 'pay() payable', args: '[]' };
		const paid = kept.write({ nativeCoin: '9 wei', maxTries: 1 }, call);
		const { items } = await node.run(paid, { items: [{}, {}], credential, node: CONTINUE });
		expect(items[0]?.json).toMatchObject({ submitted: true, hash: HASH });
		expect(items[0]?.json).not.toHaveProperty('replayed');
		expect(items[1]?.json).toMatchObject({ details: { code: 'policy-refused' } });
		expect(node.log.writes()).toHaveLength(1);
	});

	test('leaves the outcome unknown if the service cannot be asked', async () => {
		await kept.fault('DELETE', { kind: 'drop-before' });
		const { error } = await node.run(kept.write({ maxTries: 1 }));
		expect(error?.context.details).toMatchObject({ outcome: 'unknown', hashes: [OTHER_HASH] });
	});
});

test('a credential that forbids the repeat of a lost write leaves its outcome unknown, and says why', async () => {
	await kept.fault('PUT', { kind: 'hang', params: LATE, times: 1 });
	await kept.fault('DELETE', { kind: 'drop-before' });
	let isForbidden = false;
	void until(async () => (isForbidden = (await kept.methods()).length > 0));
	const credential = {
		...node.service.credential(),
		get allowWrites() {
			return !isForbidden;
		},
	};
	const { error } = await node.run(kept.write({ timeout: 4 }), { credential });
	expect(error?.context.details).toMatchObject({ outcome: 'unknown', code: 'policy-refused' });
	expect(error?.message).not.toContain('Nothing was sent');
	expect(error?.description).not.toContain('Nothing was sent');
});

describe('a service that was asked by POST', () => {
	const plain = useNode();

	test('and had the write under its key is not reported as sending now', async () => {
		const headers = { 'idempotency-replayed': 'true' };
		plain.service.answer({ headers, body: { status: 'SUCCESS', hash: OTHER_HASH } });
		const [item] = await plain.items(kept.write());
		expect(item).toMatchObject({ hash: OTHER_HASH, replayed: true });
	});
});
