import type { SandboxReady } from '../../sandbox/src/ready.mts';
import type { N8nRestClient } from '../n8n/rest-client.mts';

/** The data table of `examples/pay-a-list.json`, and its columns. */
export const PAYMENTS_TABLE = 'Payments to make';
export const PAYMENT_COLUMNS = ['recipient', 'amount', 'state', 'note', 'hash'];

/** Fills the table of the example that pays a list, unless it is there already: three small payments that nobody has made. */
export async function fillPaymentsTable(
	client: N8nRestClient,
	{ users }: Pick<SandboxReady, 'users'>,
): Promise<void> {
	const amounts = ['1.5', '2.25', '0.000001'];
	const rows = users.slice(1).flatMap(({ id }, index) => {
		const amount = amounts[index];
		return amount === undefined ? [] : [{ recipient: id, amount, state: 'to pay' }];
	});
	await client.createDataTable(PAYMENTS_TABLE, PAYMENT_COLUMNS, rows);
}
