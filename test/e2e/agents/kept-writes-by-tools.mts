/** Writes by models at a service that keeps writes: no call is sent twice, whatever becomes of its answers. */
import { until } from '../../support/until.mts';
import { kept, n8n } from '../support/shared-n8n.mts';
import { ask, HOSTS } from './support/hosts.mts';

const params = { status: 429, body: '{"error":"busy"}' };
const BUSY = { kind: 'status-text', params } as const;
const KEYS = '/v1/writes/.*';
const recipient = () => kept.user('Rahul Sen').address;
/** Each has another amount, in base units: an equal one is not sent again. */
let latest = 1_000;
const newPayment = () => ({
	name: 'Send_Dollars',
	arguments: { recipient: recipient(), amount: String(latest++) },
});
const submitted = { error: '', items: [{ submitted: true }] };
const sent = async () => await kept.chain.getTransactionCount(kept.user().address);
const lose = async (method: string, kind: 'drop-before' | 'drop-after') =>
	await kept.faults.add({ kind, times: 1, match: { method, path: KEYS } });

afterEach(async () => await kept.faults.reset());

describe.each(HOSTS)('%s', (host) => {
	test.each(['drop-before', 'drop-after'] as const)(
		'pays once for two equal calls, the first with a lost answer (%s)',
		async (kind) => {
			const before = await sent();
			await lose('PUT', kind);
			const payment = newPayment();
			const outcomes = await ask(host, 'kept', [payment], [payment]);
			expect(outcomes).toMatchObject([submitted, submitted]);
			expect(outcomes.map(({ items }) => items[0]?.replayed)).toEqual([undefined, true]);
			expect(await sent()).toBe(before + 1);
		},
	);

	test('pays from the wallet of the Sender only, whoever is named by the model', async () => {
		const before = await sent();
		const from = (payer: string) => ({
			name: 'Pay_From',
			arguments: { ...newPayment().arguments, payer },
		});
		const [other, own] = [kept.user('Rahul Sen').id, kept.user().id];
		const [refused, paid] = await ask(host, 'kept', [from(other)], [from(own)]);
		expect(refused?.error).toContain(`but "${other}" is to pay`);
		expect(paid).toMatchObject(submitted);
		expect(await sent()).toBe(before + 1);
	});

	test.each([
		['its answer is lost', 'drop-after', /may have been sent/i],
		['it was paid before', 'busy', /could not be asked whether an earlier one did/],
	] as const)('does not call an order unpaid if %s and nothing can be asked', async (...row) => {
		const [, how, told] = row;
		const before = await sent();
		const order = { recipient: recipient(), amount: '1', order: `${host} ${how}` };
		const payment = { name: 'Pay_Order', arguments: order };
		if (how === 'busy') expect(await ask(host, 'kept', [payment])).toMatchObject([submitted]);
		const fault = how === 'busy' ? BUSY : ({ kind: how } as const);
		await kept.faults.add({ ...fault, times: 1, match: { method: 'PUT', path: KEYS } });
		for (const method of ['GET', 'DELETE'])
			await kept.faults.add({ kind: 'drop-before', match: { method, path: KEYS } });
		const [outcome] = await ask(host, 'kept', [payment]);
		expect(outcome?.error).toMatch(told);
		expect(outcome?.error).not.toMatch(/nothing was sent|not sent:/i);
		await kept.faults.reset();
		const [again] = await ask(host, 'kept', [payment]);
		expect(again).toMatchObject({ error: '', items: [{ submitted: true, replayed: true }] });
		expect(await sent()).toBe(before + 1);
	});
});

describe.each(['AI Agent 3.1', 'AI Agent 2.2'] as const)('%s', (host) => {
	test.each([
		['before', {}],
		['after', { afterWork: true }],
	])('that is stopped %s its tool has paid pays once with its Retry', async (_when, params) => {
		const before = await sent();
		await kept.faults.add({ kind: 'hang', params, times: 1, match: { method: 'PUT', path: KEYS } });
		const payment = newPayment();
		const asked = ask(host, 'kept', [payment]).catch(String);
		const methods = async () => (await kept.faults.requests()).map(({ method }) => method);
		await until(async () => (await methods()).includes('PUT'));
		const workflow = host === 'AI Agent 3.1' ? 'kept31' : 'kept22';
		const [id = ''] = await n8n.executions.underWay(workflow);
		await n8n.executions.stop(id);
		await asked;
		await until(async () => (await methods()).includes('DELETE'));
		await until(async () => (await n8n.executions.ended(workflow))[0]?.id === id);
		await n8n.executions.retry(id);
		expect(await sent()).toBe(before + 1);
	});
});

describe.each(['AI Agent 3.1', 'AI Agent 2.2', 'MCP Server Trigger'] as const)(
	'%s with Retry on Fail, and a different argument on each try',
	(host) => {
		test.each([
			['drop-before', {}],
			['drop-after', { replayed: true, sentCall: {}, requestedCall: {} }],
		] as const)('decides an unknown outcome at the next try (%s)', async (kind, marks) => {
			const before = await sent();
			await lose('PUT', kind);
			await lose('DELETE', 'drop-before');
			const [outcome] = await ask(host, 'keptRetry', [{ name: 'Store_Time', arguments: {} }]);
			expect(outcome).toMatchObject({ error: '', items: [{ submitted: true, ...marks }] });
			expect(await sent()).toBe(before + 1);
		});
	},
);
