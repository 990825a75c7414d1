/** The example *Refund by form*: who is asked, and that each order is paid once, but a refused one can be requested again. */
import axios from 'axios';
import { mailCredential } from '../../../tools/sandbox/credentials.mts';
import { publish } from '../../support/n8n/published.mts';
import { until } from '../../support/until.mts';
import { startMailbox } from '../../support/n8n/mailbox.mts';
import { createExample, faultOfWrites, sent } from '../support/kept-service.mts';
import { addSecondApprover } from '../support/second-approver.mts';
import { kept, n8n } from '../support/shared-n8n.mts';

/** The example with the credential of a service that keeps order numbers. */
const EXAMPLE = 'refundsKept0001';
/** The same, changed by the recipe *A second approver above an amount*, with another address of its form. */
const SECOND = 'refundsBySecond1';
const formOf = (workflow: string) =>
	workflow === SECOND ? 'request-large-refund' : 'request-refund';
let mailbox: Awaited<ReturnType<typeof startMailbox>>;

beforeAll(async () => {
	mailbox = await n8n.resources.use(startMailbox());
	await n8n.client.changeCredential(mailCredential(mailbox.port));
	await createExample('walletRefund0001', EXAMPLE);
	await publish(n8n.client, EXAMPLE);
	await createExample('walletRefund0001', SECOND, async (example) => {
		const changed = await addSecondApprover(example, 'second@example.com');
		return JSON.parse(JSON.stringify(changed).replaceAll(formOf(EXAMPLE), formOf(SECOND)));
	});
	await publish(n8n.client, SECOND);
});

const post = async (url: string, fields: string[]) => {
	const form = new FormData();
	for (const [index, value] of fields.entries()) form.set(`field-${index}`, value);
	return await axios.post<unknown>(url, form, { validateStatus: () => true });
};

/** Requests a refund as its form does, by default to Rahul Sen; returns the answer to the requester. */
const request = async (order: string, amount: string, workflow = EXAMPLE) => {
	const fields = [order, kept.user('Rahul Sen').id, amount];
	return (await post(`${n8n.url}/form/${formOf(workflow)}`, fields)).data;
};

const ended = async (workflow = EXAMPLE) => await n8n.executions.ended(workflow);

/** The address behind the link in a message. */
function linkIn(mail: string): string {
	const [, link = ''] = /href="([^"]*webhook-waiting[^"]*)"/.exec(mail) ?? [];
	const { pathname, search } = new URL(link.replaceAll('&amp;', '&'));
	return `${n8n.url}${pathname}${search}`;
}

/** Answers a message, this many times at once. Returns the page behind its link. */
async function answer(mail: string, choice: string, times = 1): Promise<string> {
	const url = linkIn(mail);
	// n8n sends the message before it has saved that the execution waits.
	const form = async () => await axios.get<string>(url, { validateStatus: () => true });
	await until(async () => (await form()).status === 200);
	const { data: page } = await form();
	await Promise.all(Array.from({ length: times }, async () => await post(url, [choice])));
	return page;
}

/** Requests a refund, and answers each message in turn, this many times at once. Returns the messages and the page behind the last one's link. */
async function refund(
	order: string,
	amount: string,
	{ choices = ['Yes, pay'], times = 1, workflow = EXAMPLE } = {},
) {
	const [known, past] = [mailbox.mails.length, (await ended(workflow)).length];
	await request(order, amount, workflow);
	let page = '';
	for (const [index, choice] of choices.entries()) {
		page = await answer(await mailbox.next(known + index), choice, times);
	}
	await until(async () => (await ended(workflow)).length > past);
	return { mails: mailbox.mails.slice(known), page };
}

/** The states of an order in the table. */
const statesOf = async (order: string) => {
	const rows = await n8n.client.dataTableRows('Refunds');
	return rows.filter((row) => row.order === order).map(({ state }) => state);
};

test('only the message has the link, and it states amount and wallet before the name and the order', async () => {
	const known = mailbox.mails.length;
	const { address, id, username } = kept.user('Rahul Sen');
	// The form then says that somebody has to approve it.
	expect(await request(' A-1 ', '1.25')).toEqual({ status: 200 });
	const mail = await mailbox.next(known);
	const words = `Amount: 1.25 SUSD\r\nTo: ${address}\r\n${username} (${id})\r\nPaid by: ${kept.user().username} (${kept.user().id}) on sandbox\r\nOrder: a-1<`;
	expect(mail).toContain(words);
	expect(mail).toMatch(/^To: approver@example.com$/m);
	const [execution = ''] = await n8n.executions.underWay(EXAMPLE);
	await n8n.executions.stop(execution);
});

test('words of the requester cannot add lines to the message', async () => {
	const known = mailbox.mails.length;
	await request('1\r\nAmount: 1 <b>', '5');
	const mail = await mailbox.next(known);
	expect(mail).toContain('Order: 1%0D%0Aamount%3A%201%20%3Cb%3E<');
	const [execution = ''] = await n8n.executions.underWay(EXAMPLE);
	await n8n.executions.stop(execution);
});

/** Requests a refund that asks nobody; returns the reason. */
async function unasked(order: string, amount: string, workflow = EXAMPLE): Promise<unknown> {
	const { mails } = await refund(order, amount, { choices: [], workflow });
	expect(mails).toEqual([]);
	return (await n8n.executions.lastError(workflow)).message;
}

test('nothing is paid after a no, and the same order can be requested again; it is paid once, however it is written', async () => {
	const before = await sent();
	await refund('A-2', '1.25', { choices: ['No'] });
	expect(await sent()).toBe(before);
	const { page } = await refund('A-2', '1.25', { times: 5 });
	expect(page).toContain('Pay this refund?');
	expect(await sent()).toBe(before + 1);
	const [last] = await kept.chain.history(kept.user().address);
	expect(last).toMatchObject({ amount: '1.25', toAddress: kept.user('Rahul Sen').address });
	const again = `Order a-2 was paid before, by the transaction ${last?.hash}`;
	expect(await unasked('A-2', '1.25')).toContain(again);
	expect(await unasked(' a-2', '7')).toMatch(/^Order "a-2" was paid with other values on /);
	expect(await sent()).toBe(before + 1);
	expect(await statesOf('a-2')).toEqual(['submitted']);
});

test('an order whose payment is refused can be requested again, as often as it takes, and is then paid once', async () => {
	const before = await sent();
	const isRefused = async () => {
		await faultOfWrites('PUT', { kind: 'failed', times: 1 });
		await refund('A-3', '2.25');
		expect(await n8n.executions.lastError(EXAMPLE)).toMatchObject({
			message: expect.stringMatching(/^Refund for order a-3: refused\. ./),
		});
	};
	await isRefused();
	await isRefused();
	expect(await sent()).toBe(before);
	await refund('A-3', '2.25');
	expect(await unasked('A-3', '2.25')).toContain('Order a-3 was paid before');
	expect(await sent()).toBe(before + 1);
	expect(await statesOf('a-3')).toEqual(['refused', 'refused', 'submitted']);
});

test('an order that is requested twice before anybody answers is paid once, and has one row', async () => {
	const before = await sent();
	const [known, past] = [mailbox.mails.length, (await ended()).length];
	await request('A-6', '2.5');
	await request('A-6', '2.5');
	for (const index of [0, 1]) await answer(await mailbox.next(known + index), 'Yes, pay');
	await until(async () => (await ended()).length > past + 1);
	expect(await sent()).toBe(before + 1);
	expect(await statesOf('a-6')).toEqual(['submitted']);
});

test('an order whose answer is lost is paid once, and is then known', async () => {
	const before = await sent();
	await faultOfWrites('PUT', { kind: 'drop-after', times: 1 });
	await refund('A-4', '3.5');
	expect(await unasked('A-4', '3.5')).toContain('Order a-4 was paid before');
	expect(await sent()).toBe(before + 1);
	expect(await statesOf('a-4')).toEqual(['submitted']);
});

test('a request that cannot be paid asks nobody', async () => {
	expect(await unasked('A-5', '12,5')).toContain('12,5');
});

describe('a second approver above an amount', () => {
	const [YES, NO] = ['Yes, pay', 'No'];
	const bySecond = async (order: string, amount: string, choices: string[], times = 1) =>
		await refund(order, amount, { choices, times, workflow: SECOND });
	const receiversOf = (mails: string[]) => mails.map((mail) => /^To: (\S+)$/m.exec(mail)?.[1]);
	const BOTH = ['approver@example.com', 'second@example.com'];

	test('below the amount one person is asked', async () => {
		const before = await sent();
		const { mails } = await bySecond('B-1', '9.999999', [YES]);
		expect(receiversOf(mails)).toEqual(BOTH.slice(0, 1));
		expect(await sent()).toBe(before + 1);
	});

	test.each(['50', '60.5'])(
		'%s is paid once, after two people have agreed to the same, and the second one reads who was first',
		async (amount) => {
			const before = await sent();
			const order = `b-${amount}`;
			const { mails } = await bySecond(order, amount, [YES, YES], 3);
			expect(receiversOf(mails)).toEqual(BOTH);
			const { address, id, username } = kept.user('Rahul Sen');
			const words = `Amount: ${amount} SUSD\r\nTo: ${address}\r\n${username} (${id})\r\nPaid by: ${kept.user().username} (${kept.user().id}) on sandbox\r\nOrder: ${order}<`;
			expect(mails[0]).toContain(words);
			expect(mails[0]).not.toContain('Agreed');
			expect(mails[1]).toContain(`Agreed: approver@example.com\r\n${words}`);
			expect(await sent()).toBe(before + 1);
			const [last] = await kept.chain.history(kept.user().address);
			expect(last).toMatchObject({ amount, toAddress: address });
			expect(await statesOf(order)).toEqual(['submitted']);
			expect(await unasked(order, amount, SECOND)).toContain(`Order ${order} was paid before`);
		},
	);

	test('a no of either person pays nothing', async () => {
		const before = await sent();
		expect((await bySecond('B-2', '60', [NO])).mails).toHaveLength(1);
		expect((await bySecond('B-2', '60', [YES, NO])).mails).toHaveLength(2);
		expect(await sent()).toBe(before);
		expect(await statesOf('b-2')).toEqual([]);
	});

	test('the first person cannot answer for the second one', async () => {
		const [before, known] = [await sent(), mailbox.mails.length];
		await request('B-3', '60', SECOND);
		const first = await mailbox.next(known);
		await answer(first, YES);
		await mailbox.next(known + 1);
		expect(await answer(first, YES)).toContain('No action required');
		const [execution = ''] = await n8n.executions.underWay(SECOND);
		expect(await n8n.executions.read(execution)).toMatchObject({ status: 'waiting' });
		expect(await sent()).toBe(before);
		await n8n.executions.stop(execution);
	});
});
