/** A service whose clock is set back. */
import { openDatabase } from '../../service/src/store/open.mts';
import { Resources } from '../support/resources.mts';
import { useInstallation } from './support/network-and-service.mts';
import { NEVER, startOrders } from './support/orders.mts';

const installed = useInstallation('sqlite', NEVER);

test('what was not sent before the clock was set back is sent after it', async () => {
	await using resources = new Resources();
	{
		await using before = new Resources();
		const { order } = await startOrders(before, installed(), {}, ({ method }) =>
			method === 'eth_sendRawTransaction' ? { id: -1 } : undefined,
		);
		expect(await order(1)).toMatchObject({ hash: expect.any(String) });
	}
	const db = await openDatabase(installed().service.database);
	const later = new Date(Date.now() + 3_600_000).toISOString();
	await db.updateTable('attempts').set({ sent_at: later, created_at: later }).execute();
	await db.destroy();
	const { untilExecuted, executions } = await startOrders(resources, installed());
	await untilExecuted(1);
	expect(await executions(1)).toBe(1);
});
