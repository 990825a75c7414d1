import type { SandboxReady } from '../../sandbox/src/ready.mts';
import type { N8nRestClient } from '../n8n/rest-client.mts';

/** The data table of `examples/pay-a-list.json`. */
export const PAYMENTS_TABLE = 'Payments to make';
const PAYMENT_COLUMNS = ['recipient', 'amount', 'state', 'note', 'hash'];

/** Creates the table for the example that pays a list, with three small samples, unless it already exists. */
export async function fillPaymentsTable(
	client: N8nRestClient,
	{ users }: Pick<SandboxReady, 'users'>,
): Promise<void> {
	const amounts = ['1.5', '2.25', '0.000001'];
	const rows = amounts.map((amount, index) => {
		return { recipient: users[index + 1]?.id, amount, state: 'sample' };
	});
	await client.createDataTable(PAYMENTS_TABLE, PAYMENT_COLUMNS, rows);
}
