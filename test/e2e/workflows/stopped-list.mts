/** The example *Pay a list from a table* after a run that was stopped between a row's change to `sending` and its result. */
import { fillPaymentsTable } from '../../../tools/start/payments-table.mts';
import { listWithoutOrders } from '../../support/n8n/examples.mts';
import { until } from '../../support/until.mts';
import { faultOfWrites, sent } from '../support/kept-service.mts';
import {
	addRows,
	answer,
	EXAMPLE,
	PAID,
	rows,
	setState,
	states,
} from '../support/list-of-payments.mts';
import { kept, n8n } from '../support/shared-n8n.mts';

/** Starts the list, and stops it while the first payment has no answer. @param afterWork whether it is made */
async function stopWhileSending(afterWork: boolean): Promise<void> {
	const before = await sent();
	await faultOfWrites('PUT', { kind: 'hang', params: { afterWork }, times: 1 });
	const execution = await n8n.executions.start(EXAMPLE);
	const answering = n8n.executions.answer(execution, 'Yes, pay');
	await until(async () =>
		afterWork ? (await sent()) === before + 1 : (await states()).at(-1) === 'sending',
	);
	await n8n.executions.stop(execution);
	await answering;
	await kept.faults.reset();
}

describe('the list after a stop', () => {
	beforeAll(async () => {
		await fillPaymentsTable(n8n.client, kept.ready);
		await setState(0, 'done');
	});

	test('a row whose payment was under way when the list was stopped is decided by the next run, and is not paid again', async () => {
		const known = await addRows(['6.5', '6.75']);
		const before = await sent();
		await stopWhileSending(true);
		expect((await states()).slice(known)).toEqual(['sending', 'to pay']);
		const page = await answer('Yes, pay');
		const day = new Date().toLocaleDateString('en-GB', { dateStyle: 'long' });
		expect(page).toMatch(/^.*Payments: 1 Total: 6\.75 SUSD/);
		expect(page).toContain(
			`1 was sent before and will not be sent again. Yes only records this in the table: 6.5 SUSD to ${kept.user(PAID[0]).id} on ${day} 6.75 SUSD to`,
		);
		expect(page.split('6.5 SUSD')).toHaveLength(2);
		const [other, made] = await kept.chain.history(kept.user().address);
		const note = expect.stringMatching(/^Already paid on .*, not sent again: 6\.5 SUSD to /);
		expect((await rows()).slice(known)).toMatchObject([
			{ state: 'submitted', hash: made?.hash, note },
			{ state: 'submitted', hash: other?.hash },
		]);
		expect(await sent()).toBe(before + 2);
		await setState(known, 'done');
	});

	test('a row that the service never got is in the next form, which says so, and is paid once', async () => {
		const known = await addRows(['6.25']);
		const before = await sent();
		await stopWhileSending(false);
		expect((await states()).slice(known)).toEqual(['sending']);
		const payment = `6.25 SUSD to ${kept.user(PAID[0]).address}`;
		const first = await n8n.executions.start(EXAMPLE);
		expect(await answer('Yes, pay')).toContain(
			`Payments: 1 Total: 6.25 SUSD Token's contract: ${kept.contracts.usd} 1 of these was under way when a run stopped; the wallet service has no payment of it: ${payment} ${payment}`,
		);
		expect((await states()).slice(known)).toEqual(['submitted']);
		await n8n.executions.answer(first, 'Yes, pay');
		expect(await sent()).toBe(before + 1);
		await setState(known, 'done');
	});

	test('without order numbers, a row under way stays as it is, and one equal to an unknown one says that nothing was sent', async () => {
		const id = await n8n.client.createWorkflow(await listWithoutOrders('payListPlain'));
		const { address, id: to } = n8n.user(PAID[0]);
		const known = await addRows(['5.25'], { state: 'sending' }, [to]);
		await addRows(['5.5', '5.5'], {}, [to, to]);
		const count = async () => await n8n.chain.getTransactionCount(n8n.user().address);
		const before = await count();
		const params = { status: 500, afterWork: true };
		await n8n.faults.hit('status-text', '/v1/contracts/method/write', { params, times: 1 });
		const page = await answer('Yes, pay', id);
		expect(page).toContain(`Payments: 2 Total: 11 SUSD`);
		expect(page).not.toContain(`5.25 SUSD to ${address}`);
		expect((await states()).slice(known)).toEqual(['sending', 'unknown', 'unknown']);
		const [, one, other] = (await rows()).slice(known);
		expect(one?.note).not.toContain('For this row nothing was sent');
		expect(other?.note).toMatch(/^For this row nothing was sent now\. Not sent again: an earlier/);
		expect(await count()).toBe(before + 1);
		await setState(known, 'done');
	});
});
