/** Writes at a service that keeps them: a lost answer, an order that comes again, and Stop. */
import { until } from '../../support/until.mts';
import { kept, type RunningN8n } from '../support/prepared-n8n.mts';

const path = '/v1/writes/.*';
const sent = async () => await kept.chain.getTransactionCount(kept.user().address);
const methods = async () => (await kept.faults.requests()).map(({ method }) => method);

/** The tests of kept writes in a running n8n of a version. */
export function testKeptWrites(n8n: RunningN8n): void {
	let before: number;

	beforeEach(async () => {
		await kept.faults.reset();
		before = await sent();
	});

	test.each(['drop-before', 'drop-after'] as const)('are sent once (%s)', async (kind) => {
		await kept.faults.add({ kind, times: 1, match: { method: 'PUT', path } });
		const { error, items } = await n8n.run('kept');
		expect(error).toBeUndefined();
		expect(items('kept')).toMatchObject([{ submitted: true }]);
		expect(items('kept')[0]).not.toHaveProperty('replayed');
		expect(await sent()).toBe(before + 1);
	});

	test('of one order in two executions are sent once', async () => {
		const [first, again] = [await n8n.run('order'), await n8n.run('order')];
		const [paid] = first.items('kept');
		expect(paid).not.toHaveProperty('replayed');
		expect(again.items('kept')).toMatchObject([{ hash: paid?.hash, replayed: true }]);
		expect(await sent()).toBe(before + 1);
	});

	test('that are stopped are decided, and sent once', async () => {
		const params = { afterWork: true };
		await kept.faults.add({ kind: 'hang', params, times: 1, match: { method: 'PUT', path } });
		const id = await n8n.client.runWorkflow('kept', 'Start');
		await until(async () => (await sent()) > before);
		await n8n.executions.stop(id);
		await until(async () => (await methods()).includes('DELETE'));
		await until(async () => (await n8n.executions.read(id)).status === 'canceled');
		expect(await sent()).toBe(before + 1);
	});
}
