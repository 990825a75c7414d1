/** The table and the runs of the example *Pay a list from a table*. */
import { PAYMENTS_TABLE } from '../../../tools/start/payments-table.mts';
import { kept, n8n } from './shared-n8n.mts';

/** The example with the credential of a service that keeps order numbers. */
export const EXAMPLE = 'payListKept0001';
/** Recipients of the rows, in order. */
export const PAID = ['Rahul Sen', 'mika_dev', 'StormRider', 'anna-k', 'newcomer'] as const;

export const rows = async () => await n8n.client.dataTableRows(PAYMENTS_TABLE);
export const states = async () => (await rows()).map(({ state }) => state);

/** Adds rows, by default one for each amount to the users above, and returns their number before. */
export async function addRows(
	amounts: string[],
	others: object = {},
	to = PAID.map((name) => kept.user(name).id),
) {
	const known = (await rows()).length;
	const added = amounts.map((amount, index) => ({ recipient: to[index], amount, state: 'to pay' }));
	await n8n.client.addDataTableRows(
		PAYMENTS_TABLE,
		added.map((row) => ({ ...row, ...others })),
	);
	return known;
}

export async function setState(known: number, state: string): Promise<void> {
	for (const { id } of (await rows()).slice(known)) {
		await n8n.client.changeDataTableRow(PAYMENTS_TABLE, Number(id), { state });
	}
}

/** Starts a workflow, answers its form, and returns the text above the answer, with single spaces between its words. */
export async function answer(choice: 'Yes, pay' | 'No', workflow = EXAMPLE): Promise<string> {
	const page = await n8n.executions.answer(await n8n.executions.start(workflow), choice);
	const [, header = ''] = /class='form-header'>(.*?)<\/div>/s.exec(page) ?? [];
	const words = header.replaceAll(/<[^>]*>/g, ' ').replaceAll('&#x27;', "'");
	return words.replaceAll(/\s+/g, ' ').trim();
}

/** Lets the payment of a row be made without an answer, and nothing be asked about it, until faults are reset. */
export async function leaveUnknown(id: unknown): Promise<void> {
	const match = { path: `/v1/writes/.*Row%20${String(id)}%20.*` };
	const params = { status: 500, afterWork: true };
	await kept.faults.add({ kind: 'status-text', match, params, times: 1 });
	await kept.faults.add({ kind: 'drop-before', match });
}
