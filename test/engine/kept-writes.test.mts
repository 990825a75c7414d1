/** Writes at a service that keeps each one under a key: an unknown outcome is decided. */
import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import { HASH, KeptWrites } from './support/kept-writes.mts';
import { RETRY } from './support/use-node.mts';

/** Arguments that differ on each evaluation, like deadlines. */
const CHANGING = '={{ [String(Date.now() + Math.floor(Math.random() * 1e6))] }}';

const kept = new KeptWrites();
const { node } = kept;

test('a write goes by PUT under the key of its place', async () => {
	const [count, [item]] = await kept.transactionsOf(async () => await node.items(kept.write()));
	expect(item).toMatchObject({ submitted: true, hash: HASH });
	expect(item).not.toHaveProperty('replayed');
	expect(count).toBe(1);
	expect(await kept.methods()).toEqual(['PUT']);
});

test('a list of new writes asks for nothing before it sends: no record can exist', async () => {
	const args = `={{ [String(${kept.number}000 + $itemIndex)] }}`;
	await node.items(kept.write({}, { args }), { items: [{}, {}, {}] });
	expect(await kept.methods()).toEqual(['PUT', 'PUT', 'PUT']);
});

test('a preview shows the request that would be sent, as far as it is known', async () => {
	const preview = { preview: true };
	const [plain] = await node.items(kept.write({}, preview));
	const [ordered] = await node.items(kept.write({ orderId: `INV/${kept.number}` }, preview));
	const writes = `${node.service.ready.baseUrl}/v1/writes`;
	expect(plain).toMatchObject({ method: 'PUT', url: `${writes}/:key` });
	expect(ordered).toMatchObject({ method: 'PUT', url: `${writes}/INV%2F${kept.number}` });
});

test('a failure names the request that failed', async () => {
	await kept.fault('PUT', { kind: 'failed', times: 1 });
	const { error } = await node.run(kept.write());
	const ofKey = /^PUT \/v1\/writes\/n8n-[0-9a-f]{64}$/;
	expect(error?.context.details).toMatchObject({ endpoint: expect.stringMatching(ofKey) });
	const path = `/v1/users/${node.service.user('Rahul Sen').id}`;
	await node.service.faults.hit('failed', path);
	const lookUp = await node.run(kept.pay('1.5', {}));
	expect(lookUp.error?.context.details).toMatchObject({ endpoint: `GET ${path}` });
});

describe('an answer that is lost', () => {
	const LATE = { afterWork: true };

	test.each<[string, Omit<FaultRequest, 'match'>]>([
		['cut before the work', { kind: 'drop-before' }],
		['cut after the work', { kind: 'drop-after' }],
		['500', { kind: 'status-text', params: { status: 500 } }],
		['503 after the work', { kind: 'status-text', params: { status: 503, ...LATE } }],
		['an HTML page after the work', { kind: 'html', params: LATE }],
		['half an answer', { kind: 'truncated-json', params: { closeEarly: true } }],
		['too long, after the work', { kind: 'large', params: { bytes: 5_000_000, ...LATE } }],
		['never, after the work', { kind: 'hang', params: LATE }],
	])('(%s) is asked for again, and the write is sent once', async (_name, one) => {
		await kept.fault('PUT', { ...one, times: 1 });
		const [count, [item]] = await kept.transactionsOf(
			async () => await node.items(kept.write({ timeout: 4 })),
		);
		expect(item).toMatchObject({ submitted: true, hash: HASH });
		expect(item).not.toHaveProperty('replayed');
		expect(count).toBe(1);
		expect(await kept.methods()).toEqual(['PUT', 'PUT']);
	});

	test('each time before the work: the key is taken out of use, and nothing was sent', async () => {
		await kept.fault('PUT', { kind: 'drop-before' });
		const [count, { error }] = await kept.transactionsOf(
			async () => await node.run(kept.write({ maxTries: 2 })),
		);
		expect(error?.context.details).toMatchObject({ outcome: 'refused', code: 'connection-lost' });
		expect(error?.message).toContain('will never be carried out');
		expect(count).toBe(0);
		expect(await kept.methods()).toEqual([...['PUT', 'PUT', 'DELETE']]);
	});

	test('each time after the work: the write is found when its key is to be taken out of use', async () => {
		await kept.fault('PUT', { kind: 'drop-after' });
		const [count, [item]] = await kept.transactionsOf(
			async () => await node.items(kept.write({ maxTries: 2 })),
		);
		expect(item).toMatchObject({ submitted: true, hash: HASH });
		expect(count).toBe(1);
	});

	test('with Retry on Fail: what was never sent is sent with the next key', async () => {
		await kept.fault('PUT', { kind: 'drop-before', times: 2 });
		const [count, [item]] = await kept.transactionsOf(
			async () => await node.items(kept.write({ maxTries: 2 }), { node: RETRY }),
		);
		expect(item).toMatchObject({ submitted: true, hash: HASH });
		expect(item).not.toHaveProperty('replayed');
		expect(count).toBe(1);
	});

	test('in a list leaves it unknown, and its next try counts what was paid once against the balance', async () => {
		const { contracts, user } = node.service;
		const balance = await node.items({
			resource: 'balance',
			operation: 'token',
			userId: user().id,
			token: contracts.usd,
		});
		const more = `={{ $itemIndex === 0 ? '${String(Number(balance[0]?.amount) - 2)}' : '1.5' }}`;
		await kept.fault('PUT', { kind: 'drop-after', times: 1 });
		await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
		const [count, output] = await kept.transactionsOf(
			async () =>
				await node.items(kept.pay(more, { maxTries: 1 }), { items: [{}, {}], node: RETRY }),
		);
		expect(output.map(({ replayed }) => replayed)).toEqual([true, undefined]);
		expect(count).toBe(2);
	});

	test.each(['drop-before', 'drop-after'] as const)(
		'(%s) together with every other one is unknown, and decided at the next attempt',
		async (kind) => {
			await kept.fault('PUT', { kind, times: 2 });
			await kept.fault('DELETE', { kind: 'drop-before', times: 2 });
			const [count, { items, error }] = await kept.transactionsOf(
				async () => await node.run(kept.write({ maxTries: 2 }), { node: RETRY }),
			);
			expect(error).toBeUndefined();
			const replayed = kind === 'drop-after' ? { replayed: true } : {};
			expect(items[0]?.json).toMatchObject({ submitted: true, ...replayed });
			expect(count).toBe(1);
		},
	);

	test('with arguments that change with each attempt: what was sent is returned, with both calls', async () => {
		await kept.fault('PUT', { kind: 'drop-after', times: 2 });
		await kept.fault('DELETE', { kind: 'drop-before', times: 2 });
		const changing = kept.write({ maxTries: 2 }, { args: CHANGING });
		const [count, [item]] = await kept.transactionsOf(
			async () => await node.items(changing, { node: RETRY }),
		);
		expect(item).toMatchObject({ hash: HASH, replayed: true, sentCall: {}, requestedCall: {} });
		expect(item?.sentCall).not.toEqual(item?.requestedCall);
		expect(count).toBe(1);
	});

	test('that stays unknown blocks an equal call until it is decided', async () => {
		await kept.fault('PUT', { kind: 'drop-after', times: 1 });
		await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
		const once = kept.write({ maxTries: 1 });
		const [count, runs] = await kept.transactionsOf(async () => [
			await node.run(once),
			await node.run(once),
			await node.run(once),
		]);
		const [first, second, third] = runs;
		expect(first?.error?.context.details).toMatchObject({ outcome: 'unknown' });
		expect(second?.error?.context.details).toMatchObject({
			outcome: 'unknown',
			code: 'not-sent-again',
			hashes: [HASH],
		});
		expect(second?.error?.message).toContain('has been submitted');
		expect(third?.error).toBeUndefined();
		expect(count).toBe(2);
	});
});

describe('a tool', () => {
	const call = () => kept.write({}, { args: `["${kept.number}"]` });

	test('of a built-in agent sends an equal call once, also if an answer is lost', async () => {
		await kept.fault('PUT', { kind: 'drop-after', times: 1 });
		const [count, items] = await kept.transactionsOf(async () => [
			await node.tool(call()),
			await node.tool(call()),
		]);
		const [first, again] = items;
		expect(first).toMatchObject({ submitted: true, hash: HASH });
		expect(again).toMatchObject({ hash: first?.hash, replayed: true });
		expect(count).toBe(1);
		expect(await kept.methods()).toEqual(['PUT', 'PUT']);
	});

	test.each([
		['asked for again', 2],
		['found at the end', 1],
	])(
		'reports what an earlier call may have sent as replayed, although its own answer is lost and it is %s',
		async (_how, tries) => {
			const caller = { executionId: `e${kept.number}` };
			await kept.fault('PUT', { kind: 'drop-after', times: 1 });
			await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
			const [count] = await kept.transactionsOf(async () => {
				const first = node.tool(kept.write({ maxTries: 1 }), {}, caller);
				await expect(first).rejects.toThrow('MAY have been sent');
				await kept.fault('PUT', { kind: 'drop-before', times: 1 });
				const again = await node.tool(kept.write({ maxTries: tries }), {}, caller);
				expect(again).toMatchObject({ submitted: true, hash: HASH, replayed: true });
			}, 1);
			expect(count).toBe(1);
		},
	);

	test('that n8n routes itself goes by PUT, and an order is paid once', async () => {
		const order = kept.write({ orderId: `tool ${kept.number}` });
		const [count, [own, routed]] = await kept.transactionsOf(async () => await node.both(order));
		expect(own?.items[0]?.json).toMatchObject({ submitted: true, hash: HASH });
		expect(routed?.items[0]?.json).toMatchObject({
			hash: own?.items[0]?.json.hash,
			replayed: true,
		});
		expect(count).toBe(1);
	});
});
