/** An order is paid once at a service that keeps writes, whoever repeats it. */
import { HASH, KeptWrites } from './support/kept-writes.mts';

const kept = new KeptWrites();
const { node } = kept;

describe('an order', () => {
	const order = () => `INV/2026 ${kept.number}`;

	test('is paid once, whoever repeats it', async () => {
		const [count, [[first], [second], [preview], [raw]]] = await kept.transactionsOf(async () => [
			await node.items(kept.pay('1.5', { orderId: order() })),
			await node.items(kept.pay('1.50', { orderId: ` ${order()} ` })),
			await node.items({ ...kept.pay('1.5', { orderId: order() }), preview: true }),
			await node.items({
				...kept.pay('1.5', { orderId: order() }),
				preview: true,
				simplify: false,
			}),
		]);
		expect(count).toBe(1);
		expect(first).toMatchObject({ submitted: true, hash: HASH });
		expect(first).not.toHaveProperty('replayed');
		expect(second).toMatchObject({
			summary: expect.stringMatching(
				/^Already paid on \d+ \w+ \d{4}, \d\d:\d\d, not sent again: 1\.5 SUSD to Rahul Sen/,
			),
			submitted: true,
			hash: first?.hash,
			replayed: true,
			submittedAt: expect.any(String),
		});
		expect(preview).toMatchObject({ hash: first?.hash, replayed: true });
		// For the page of an approval.
		const payer = { userName: expect.any(String), network: 'sandbox' };
		const shown = { amount: '1.5', symbol: 'SUSD', recipientName: 'Rahul Sen', ...payer };
		expect(raw).toMatchObject({ hash: first?.hash, replayed: true, ...shown });
	});

	test.each(['2026-11-26 10:12:00+00', '20261126T101200Z', '20261126T101200.000+0000'])(
		'that was paid at %s states the time',
		async (submittedAt) => {
			const body = JSON.stringify({ status: 'SUCCESS', hash: `0x${'ab'.repeat(32)}`, submittedAt });
			const headers = { 'content-type': 'application/json' };
			await kept.fault('PUT', { kind: 'status-text', params: { status: 200, body, headers } });
			const [item] = await node.items(kept.pay('1.5', { orderId: order() }));
			expect(item?.summary).toMatch(/^Already paid on 26 November 2026, 05:12, not sent again/);
		},
	);

	test('needs no hint in the editor that executing the step again sends again', async () => {
		const given = kept.pay('1.5', { orderId: order() });
		for (const first of [true, false]) {
			const { run, items } = await node.run(given, { mode: 'manual' });
			expect(items[0]?.json.replayed === undefined).toBe(first);
			expect(run.data.resultData.runData['Wallet Service']?.[0]?.hints).toEqual([]);
		}
	});

	test('by two executions at once is paid once, and both have the same hash', async () => {
		const given = kept.pay('1.5', { orderId: order() });
		const [count, items] = await kept.transactionsOf(
			async () => await Promise.all([node.items(given), node.items(given)]),
		);
		expect(count).toBe(1);
		expect(new Set(items.flat().map(({ hash }) => hash)).size).toBe(1);
		expect(items.flat().filter(({ replayed }) => replayed === true)).toHaveLength(1);
	});

	test.each(['1.5', '2'])(
		'is reported as sent once at most, if the answers of one of two executions are lost (%s)',
		async (amount) => {
			const orderId = order();
			await kept.fault('PUT', { kind: 'drop-before', times: 2, skip: 1 });
			const [first] = await node.items(kept.pay('1.5', { orderId }));
			const options = { orderId, maxTries: 2, retryFor: 10 };
			const [count, { items, error }] = await kept.transactionsOf(
				async () => await node.run(kept.pay(amount, options)),
			);
			expect(count).toBe(0);
			const told = items[0]?.json ?? error?.context.details;
			expect(told).toMatchObject(
				amount === '1.5'
					? { hash: first?.hash, replayed: true }
					: { outcome: 'refused', code: 'order-conflict', hashes: [first?.hash] },
			);
		},
	);

	test('with other values is refused in words', async () => {
		await node.items(kept.pay('1.5', { orderId: order() }));
		const [count, { error }] = await kept.transactionsOf(
			async () => await node.run(kept.pay('2', { orderId: order() })),
		);
		expect(error?.message).toMatch(
			/^Order "INV\/2026 \d+" was paid with other values on .*: 1\.5 SUSD to Rahul Sen .*\(transaction 0x[0-9a-f]{64}\)\. This item asks for 2 SUSD to Rahul Sen[^;]*$/,
		);
		expect(error?.context.details).toMatchObject({ outcome: 'refused', code: 'order-conflict' });
		expect(count).toBe(0);
	});

	test('with other values is refused as such, even if its payment cannot be looked up', async () => {
		const [first] = await node.items(kept.pay('1.5', { orderId: order() }));
		await kept.fault('DELETE', { kind: 'drop-before', times: 9 });
		const { error } = await node.run(kept.pay('2', { orderId: order(), maxTries: 1 }));
		await node.service.faults.clear();
		expect(error?.context.details).toMatchObject({
			outcome: 'refused',
			code: 'order-conflict',
			hashes: [first?.hash],
			hint: expect.stringContaining('give it another Order ID'),
		});
	});

	test('of a call is submitted once, and another function is named as the conflict', async () => {
		await node.items(kept.write({ orderId: order() }));
		const other = kept.write({ orderId: order() }, { abi: 'pay() payable', args: '[]' });
		const [count, [again, { error }]] = await kept.transactionsOf(
			async () =>
				[await node.items(kept.write({ orderId: order() })), await node.run(other)] as const,
		);
		expect(count).toBe(0);
		expect(again[0]?.summary).toMatch(/^Already submitted on .*, not sent again: store/);
		expect(error?.message).toContain('was submitted with other values');
	});

	test('of two calls of a function, the arguments that differ are named', async () => {
		await node.items(kept.write({ orderId: order() }));
		const { error } = await node.run(kept.write({ orderId: order() }, { args: '["77"]' }));
		expect(error?.message).toMatch(
			/: store\(…\) of .* \(argument 1 "\d+"\) .* of .* \(argument 1 "77"\)$/,
		);
	});

	test('of two calls of a contract that is written in another case, only the arguments differ', async () => {
		await node.items(kept.write({ orderId: order() }));
		const contractAddress = node.service.contracts.shapes.toLowerCase();
		const other = { args: '["77"]', contractAddress };
		const { error } = await node.run(kept.write({ orderId: order() }, other));
		expect(error?.message).toMatch(
			/: (store\(…\) of \S+) \(argument 1 "\d+"\) .*asks for \1 \(argument 1 "77"\)$/,
		);
	});

	test('with other values does not hide the next ones of a list', async () => {
		const items = ['1.5', '2', '2.5'].map((amount) => ({ amount, id: `${order()} ${amount}` }));
		const list = (more: string) =>
			kept.pay(`={{ $json.amount }}${more}`, { orderId: '={{ $json.id }}' });
		await node.items(list(''), { items });
		const { error } = await node.run(list('1'), { items });
		expect(error?.message).toMatch(/^3 of 3 cannot be sent, nothing was sent: row 1: .*row 3: /);
	});

	test('is reported as paid even if what it moved is gone', async () => {
		const given = kept.pay('1.5', { orderId: order() });
		const [first] = await node.items(given);
		const credential = {
			...node.service.credential(),
			amountLimits: `1 ${node.service.contracts.usd}`,
		};
		const [again] = await node.items(given, { credential });
		expect(again).toMatchObject({ hash: first?.hash, replayed: true });
	});

	test('is not reported as unpaid if the service cannot be asked', async () => {
		const given = kept.pay('1.5', { orderId: order(), maxTries: 1 });
		const [first] = await node.items(given);
		const { usd } = node.service.contracts;
		const credential = { ...node.service.credential(), amountLimits: `1 ${usd}` };
		await kept.fault('GET', { kind: 'drop-before', times: 1 });
		const { error } = await node.run(given, { credential });
		expect(error?.context.details).toMatchObject({ outcome: 'unknown', code: 'not-sent-again' });
		expect(error?.message).toContain('could not be asked');
		const [again] = await node.items(given, { credential });
		expect(again).toMatchObject({ hash: first?.hash, replayed: true });
	});

	test('a list that runs again pays only what was not paid', async () => {
		const items = [1, 2, 3].map((index) => ({ id: `${order()} ${index}` }));
		const given = kept.pay('1.5', { orderId: '={{ $json.id }}' });
		await node.items(given, { items: items.slice(0, 2) });
		const [count, output] = await kept.transactionsOf(
			async () => await node.items(given, { items }),
		);
		expect(count).toBe(1);
		expect(output.map(({ replayed }) => replayed)).toEqual([true, true, undefined]);
	});
});
