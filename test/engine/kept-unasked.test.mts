/** What an item says while the service cannot be asked, or something else answers in its place. */
import { setTimeout } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { settle } from '../../nodes/WalletService/values/settle.ts';
import { HASH, KeptWrites } from './support/kept-writes.mts';

const kept = new KeptWrites();
const { node } = kept;

const PAGE = { status: 200, body: '<html><title>Sign in to the network</title></html>' };
const UNKNOWN = { outcome: 'unknown', code: 'not-sent-again' };
const order = () => `unasked ${kept.number}`;

describe('what the service offers', () => {
	/** By how much the clock of the process is ahead, in milliseconds. */
	let aheadMs = 0;
	beforeAll(() => {
		const now = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
	});
	afterAll(() => jest.restoreAllMocks());

	/** Answers once in place of the service. */
	async function answerOnce(params: IDataObject): Promise<void> {
		const match = { method: 'GET', path: '/v1/service' };
		await node.service.faults.add({ kind: 'status-text', params, times: 1, match });
	}

	// Accounts of their own, because what is said about them is remembered.
	test.each([
		['Nelly', PAGE],
		['Rahul Sen', { ...PAGE, status: 403 }],
		['mika_dev', { status: 200, body: '' }],
		['anna-k', { status: 403, body: '<Error><Message>Access is denied</Message></Error>' }],
	] as const)('is nothing for %s, as long as something else answers', async (name, answer) => {
		const credential = node.service.credential(name);
		await answerOnce(answer);
		const given = { maxTries: 1 };
		const { error } = await node.run(kept.write({ orderId: order(), ...given }), { credential });
		expect(error?.context.details).toMatchObject({ outcome: 'refused' });
		expect(error?.message).toContain('does not keep');
		expect(await node.items(kept.write(given), { credential })).toMatchObject([{ hash: HASH }]);
		expect(await kept.methods()).toEqual([]);
		aheadMs += 2 * 60_000;
		const ordered = kept.write({ orderId: order(), ...given });
		expect(await node.items(ordered, { credential })).toMatchObject([{ hash: HASH }]);
	});

	test.each([
		[500, '{"status":500,"error":"Internal Server Error"}'],
		[503, '<html><title>Back soon</title></html>'],
		[429, '{"error":"busy"}'],
	])('is not known while it is in trouble (%s), which stops orders only', async (status, body) => {
		aheadMs += 25 * 60 * 60_000;
		const credential = node.service.credential('StormRider');
		const ordered = kept.write({ orderId: order(), maxTries: 1 });
		const match = { method: 'GET', path: '/v1/service' };
		const params = { status, body };
		await node.service.faults.add({ kind: 'status-text', params, times: 4, match });
		const { error } = await node.run(ordered, { credential });
		expect(error?.context.details).toMatchObject(UNKNOWN);
		await expect(node.tool(ordered, {}, { credential })).rejects.toMatchObject({
			context: { details: UNKNOWN },
		});
		const unordered = kept.write({ maxTries: 1 });
		expect(await node.items(unordered, { credential })).toMatchObject([{ hash: HASH }]);
		expect(await kept.methods()).toEqual([]);
	});

	test('is asked again once the page of a proxy has gone', async () => {
		aheadMs += 6 * 60_000;
		await answerOnce(PAGE);
		const given = kept.write({ orderId: order() });
		const credential = node.service.credential('Nelly');
		expect(await node.items(given, { credential })).toMatchObject([{ hash: HASH }]);
	});

	test('is not forgotten, for example while a proxy knows nothing of the service', async () => {
		const given = kept.write({ orderId: order(), maxTries: 1 });
		const [first] = await node.items(given);
		aheadMs += 6 * 60_000;
		for (const answer of [
			{ status: 404, body: '404 page not found' },
			{ status: 200, body: '{}' },
		]) {
			await answerOnce(answer);
			const { error } = await node.run(given);
			expect(error?.context.details).toMatchObject(UNKNOWN);
		}
		expect(await node.items(given)).toMatchObject([{ hash: first?.hash, replayed: true }]);
	});
});

describe('an order that was paid', () => {
	const given = () => kept.pay('1.5', { orderId: order(), maxTries: 1 });
	const params = { status: 429, body: '{"error":"busy"}' };
	const busy = { kind: 'status-text', params } as const;

	test('is found, although its request is refused', async () => {
		const [first] = await node.items(given());
		await kept.fault('PUT', busy);
		expect(await node.items(given())).toMatchObject([{ hash: first?.hash, replayed: true }]);
	});

	test('is not reported as unpaid if its request is refused, and the service cannot be asked', async () => {
		await node.items(given());
		await kept.fault('PUT', busy);
		await kept.fault('GET', { kind: 'drop-before' });
		const { error } = await node.run(given());
		expect(error?.context.details).toMatchObject(UNKNOWN);
	});

	test('under a later key is found, although its first key was taken out of use', async () => {
		await kept.fault('PUT', { kind: 'drop-before', times: 1 });
		const { error } = await node.run(given());
		expect(error?.context.details).toMatchObject({ outcome: 'refused' });
		const [paid] = await node.items(given());
		expect(paid).toEqual(expect.not.objectContaining({ replayed: true }));
		await kept.fault('PUT', { kind: 'drop-before', times: 1 });
		expect(await node.items(given())).toMatchObject([{ hash: paid?.hash, replayed: true }]);
	});

	test('is not reported as unpaid if the execution is stopped before its turn', async () => {
		await node.items(given());
		await kept.fault('PUT', { kind: 'hang', times: 1 });
		const before = node.run(kept.write({ timeout: 2, maxTries: 1 }));
		const cancelWhen = setTimeout(500);
		const { error } = await node.run(given(), { cancelWhen });
		expect(error?.context.details).toMatchObject({ outcome: 'unknown', code: 'not-sent' });
		await before;
	});

	describe('in a list', () => {
		const items = () => [1, 2, 3].map((index) => ({ id: `${order()} ${index}` }));
		const list = (options = {}) =>
			kept.pay('={{ $json.amount ?? "1.5" }}', { orderId: '={{ $json.id }}', ...options });

		test.each(['drop-before', 'page'])(
			'is not reported as unpaid if the service cannot be asked (%s), and the others are not tried',
			async (how) => {
				await node.items(list(), { items: items() });
				await kept.fault(
					'GET',
					how === 'page' ? { kind: 'status-text', params: PAGE } : { kind: 'drop-before' },
				);
				const asked = async () =>
					(await node.service.faults.requests()).filter(({ path }) => path.includes('/v1/writes/'))
						.length;
				const before = await asked();
				const { error } = await node.run(list({ maxTries: 1 }), { items: items() });
				expect(error?.context.details).toMatchObject(UNKNOWN);
				expect(error?.message).toMatch(/^1 of 3 cannot be sent, nothing was sent now: row 1: /);
				expect((await asked()) - before).toBe(1);
			},
		);

		test('is named, although another one cannot be sent', async () => {
			const [first, ...others] = items();
			const [paid] = await node.items(list(), { items: [first ?? {}] });
			const wrong = others.map((item) => ({ ...item, amount: 'much' }));
			const { error } = await node.run(list(), { items: [first ?? {}, ...wrong] });
			expect(error?.message).toMatch(/^2 of 3 cannot be sent, nothing more was sent: row 2: /);
			expect(error?.description).toContain(`Submitted before, row 1: ${paid?.hash}`);
		});
	});
});

test('a model that asks three times pays once, and its second call finds what became of the first', async () => {
	await kept.fault('PUT', {
		kind: 'status-text',
		times: 1,
		params: { status: 500, afterWork: true },
	});
	await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
	const call = async () => await node.tool(kept.write({ maxTries: 1 }), {}, {});
	const [count, calls] = await kept.transactionsOf(
		async () => [await settle(call()), await settle(call()), await settle(call())],
		1,
	);
	const found = { status: 'fulfilled', value: { hash: HASH, replayed: true } };
	expect(calls).toMatchObject([{ status: 'rejected' }, found, found]);
	expect(count).toBe(1);
});
