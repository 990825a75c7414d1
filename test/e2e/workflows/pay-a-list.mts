/** The example *Pay a list from a table*: what its form shows before anybody is paid, and what it pays. */
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { fillPaymentsTable, PAYMENTS_TABLE } from '../../../tools/start/payments-table.mts';
import { createExample, faultOfWrites, sent } from '../support/kept-service.mts';
import {
	addRows,
	answer,
	EXAMPLE,
	leaveUnknown,
	PAID,
	rows,
	setState,
	states,
} from '../support/list-of-payments.mts';
import { KEPT_OF_RAHUL, kept, n8n } from '../support/shared-n8n.mts';

const EXAMPLE_ID = 'walletPayList001';

beforeAll(async () => await createExample(EXAMPLE_ID, EXAMPLE));

/** The line about the wallet that pays. */
const paidBy = () => `Paid by: ${kept.user().username} (${kept.user().id}) on sandbox`;

test('no row is paid twice, whatever the outcome of a payment, and none without approval', async () => {
	await fillPaymentsTable(n8n.client, kept.ready);
	const before = await sent();
	const page = await answer('No');
	for (const [index, amount] of ['1.5', '2.25', '0.000001'].entries()) {
		const { id, address, username } = kept.user(PAID[index]);
		expect(page).toContain(`${amount} SUSD to ${address} ${username} (${id})`);
	}
	const total = `Payments: 3 Total: 3.750001 SUSD Token's contract: ${kept.contracts.usd}`;
	expect(page).toContain(total);
	expect(page).toContain('Pay the sample rows?');
	expect(page).not.toContain('in the list:');
	expect(await sent()).toBe(before);
	expect(await states()).toEqual(['sample', 'sample', 'sample']);

	// Two people have the form open at the same time, and both approve.
	const first = await n8n.executions.start(EXAMPLE);
	const second = await n8n.executions.start(EXAMPLE);
	await leaveUnknown((await rows())[1]?.id);
	await n8n.executions.answer(first, 'Yes, pay');
	expect(await sent()).toBe(before + 3);
	expect(await states()).toEqual(['submitted', 'unknown', 'submitted']);
	expect(await n8n.executions.lastError(EXAMPLE)).toMatchObject({
		message: `Not submitted: 2.25 to ${kept.user(PAID[1]).id} (unknown). The column note has the reason`,
	});
	const paid = await rows();
	await n8n.executions.answer(second, 'Yes, pay');
	await n8n.client.execute(EXAMPLE);
	expect(await sent()).toBe(before + 3);
	expect((await rows()).map(({ state, hash }) => [state, hash])).toEqual(
		paid.map(({ state, hash }) => [state, hash]),
	);
	const made = (await kept.chain.history(kept.user().address)).slice(0, 3).reverse();
	expect(made.map(({ amount, toAddress }) => [amount, toAddress])).toEqual([
		['1.5', kept.user('Rahul Sen').address],
		['2.25', kept.user('mika_dev').address],
		['0.000001', kept.user('StormRider').address],
	]);
	expect([paid[0]?.hash, paid[2]?.hash]).toEqual([made[0]?.hash, made[2]?.hash]);

	// What nobody knew, its number tells.
	await kept.faults.reset();
	await n8n.client.changeDataTableRow(PAYMENTS_TABLE, Number(paid[1]?.id), { state: 'to pay' });
	const again = await answer('Yes, pay');
	expect(again).toContain(`${paidBy()} Payments: 0 1 was sent before and will not be sent`);
	expect(await sent()).toBe(before + 3);
	expect((await rows())[1]).toMatchObject({ state: 'submitted', hash: made[1]?.hash });
});

test('the form says what was paid before, or may have been', async () => {
	const to = kept.user(PAID[0]);
	const before = await sent();
	const known = await addRows(['1.50', '1.75', '2.250'], {}, [to.id, to.id, to.id]);
	const page = await answer('No');
	const day = `1.5 SUSD to ${to.address} on ${new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })}`;
	expect(page).toContain(
		`1 of 3 were paid before, or may have been: ${day} (submitted) 1.5 SUSD to`,
	);
	await setState(known, 'done');
	const one = await addRows(['4.5']);
	const execution = await n8n.executions.start(EXAMPLE);
	await leaveUnknown((await rows()).at(-1)?.id);
	await n8n.executions.answer(execution, 'Yes, pay');
	await addRows(['4.5']);
	expect(await answer('Yes, pay')).toMatch(
		/1 of 1 were paid before, .*: 4\.5 SUSD to \S+ on .* \(unknown\)/,
	);
	expect((await states()).slice(one)).toEqual(['unknown', 'submitted']);
	expect(await sent()).toBe(before + 2);
	await setState(0, 'done');
});

test('a refused row states the reason, and a row changed after the form was shown is left out', async () => {
	await addRows(['2', '1', '0.5']);
	const before = await sent();
	await faultOfWrites('PUT', { kind: 'failed', skip: 1, times: 1 });
	const execution = await n8n.executions.start(EXAMPLE);
	const last = (await rows()).at(-1);
	await n8n.client.changeDataTableRow(PAYMENTS_TABLE, Number(last?.id), { amount: '300' });
	await n8n.executions.answer(execution, 'Yes, pay');
	const after = (await rows()).slice(-3);
	expect(after.map(({ state, amount }) => [state, amount])).toEqual([
		['submitted', '2'],
		['refused', '1'],
		['to pay', '300'],
	]);
	expect(after[1]?.note).not.toBe('');
	expect(await n8n.executions.lastError(EXAMPLE)).toMatchObject({
		message: `Not submitted: 1 to ${kept.user(PAID[1]).id} (refused). The column note has the reason`,
	});
	expect(await sent()).toBe(before + 1);
	await setState(0, 'done');
});

test('sample rows are never paid together with real ones', async () => {
	const known = await addRows(['7', '8'], { state: 'sample' });
	await addRows(['0.25']);
	await addRows(['9'], { state: 'sample' });
	const before = await sent();
	expect(await answer('Yes, pay')).toContain(
		`Pay this list? ${paidBy()} Payments: 1 Total: 0.25 SUSD`,
	);
	expect((await states()).slice(known)).toEqual(['sample', 'sample', 'submitted', 'sample']);
	expect(await sent()).toBe(before + 1);
	expect(await answer('No')).toContain(
		`Pay the sample rows? ${paidBy()} Payments: 3 Total: 24 SUSD`,
	);
	await setState(known, 'done');
});

test('the form lists what is twice in the list, by wallet, token and amount', async () => {
	const [rahul, mika] = [kept.user('Rahul Sen'), kept.user('mika_dev')];
	const to = [rahul.id, mika.id, rahul.address.toLowerCase(), mika.id, mika.id, rahul.id];
	const known = await addRows(['1', '3', '1.00', '3', '3.0', '3'], {}, to);
	const page = await answer('No');
	expect(page).toContain('Payments: 6 Total: 14 SUSD');
	const who = `${mika.address} ${mika.username} (${mika.id})`;
	const twice = `Twice in the list: 1 SUSD to ${rahul.address} ${rahul.username} (${rahul.id}) 3 times in the list: 3 SUSD to ${who} 1 SUSD to`;
	expect(page).toContain(twice);
	await setState(known, 'done');
});

test('the form has a total for each token', async () => {
	const { usd, gold } = kept.contracts;
	const token = `={{ $json.amount === '3' ? '${gold}' : '${usd}' }}`;
	const example = await n8n.client.get(`/rest/workflows/${EXAMPLE}`);
	const changed = JSON.stringify(example.nodes).replaceAll(
		/"value":"0x[^"]*"/g,
		() => `"value":${JSON.stringify(token)}`,
	);
	await n8n.client.createWorkflow({ ...example, id: 'payTwoTokens', nodes: JSON.parse(changed) });
	const known = await addRows(['1', '3', '2.5']);
	expect(await answer('No', 'payTwoTokens')).toContain(
		`Total: 3 SGLD Token's contract: ${gold} Total: 3.5 SUSD Token's contract: ${usd}`,
	);
	await setState(known, 'done');
});

test.each([
	['a list that exceeds the balance', ['1300', '1300'], /SUSD: 2600 needed/],
	['an invalid row', ['12,5'], /12,5/],
])('%s stops the whole list before anybody is asked', async (_name, amounts, message) => {
	const before = await sent();
	const known = await addRows(amounts);
	const execution = await n8n.executions.read(await n8n.executions.start(EXAMPLE));
	expect(execution.status).toBe('error');
	expect(readWorkflowRun(execution).error).toMatch(message);
	expect(await sent()).toBe(before);
	await setState(known, 'done');
});

test('nobody else pays what was checked, whatever credential Pay has', async () => {
	const other = 'payOtherWallet1';
	await createExample(EXAMPLE_ID, other, async (example) => {
		const nodes: object[] = JSON.parse(JSON.stringify(example.nodes));
		const credentials = { walletServiceApi: { id: KEPT_OF_RAHUL, name: 'Rahul Sen' } };
		const change = (node: object) => (Reflect.get(node, 'name') === 'Pay' ? { credentials } : {});
		return { ...example, nodes: nodes.map((node) => ({ ...node, ...change(node) })) };
	});
	const known = await addRows(['1.25'], {}, [kept.user('mika_dev').id]);
	const sentByRahul = async () =>
		await kept.chain.getTransactionCount(kept.user('Rahul Sen').address);
	const before = [await sent(), await sentByRahul()];
	await answer('Yes, pay', other);
	const [row] = (await rows()).slice(known);
	const { id } = kept.user('Rahul Sen');
	expect(row).toMatchObject({
		state: 'refused',
		note: expect.stringContaining(
			`The credential belongs to "${id}", but "${kept.user().id}" is to pay`,
		),
	});
	expect([await sent(), await sentByRahul()]).toEqual(before);
	await setState(known, 'to pay');
	await answer('Yes, pay');
	expect(await sent()).toBe((before[0] ?? 0) + 1);
});
