/** A list of writes is checked as a whole before its first write: all of it is sent, or nothing. Errors name each row as its table does. */
import type { IDataObject } from 'n8n-workflow';

import { done, failed, hashOf, LOST } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import { CONTINUE, RETRY, useNode } from './support/use-node.mts';

const node = useNode();

const ROW = sendOf({ amount: '={{ $json.amount }}', recipient: '={{ $json.recipient }}' });
const TRY = { ...ROW, preview: true };
const rows = (...amounts: unknown[]) =>
	amounts.map((amount) => ({ amount, recipient: BOB.id, name: 'Rahul Sen' }) as IDataObject);
const amounts = () => node.service.writes.map(({ args }) => args[1]);

test.each<[what: string, items: IDataObject[], listed: RegExp, itemIndex: number]>([
	[
		'an amount',
		rows('1', '2,5', '3'),
		/^1 of 3 cannot be sent, nothing was sent: row 2 \(Rahul Sen\): Amount: /,
		1,
	],
	[
		'a recipient and an amount',
		[...rows('1'), { amount: '2', recipient: 'nobody', name: 'Ann' }, ...rows('x')],
		/^2 of 3 cannot be sent, nothing was sent: row 2 \(Ann\): .*; row 3 \(Rahul Sen\): /,
		1,
	],
	[
		'many',
		rows(...Array(12).fill('-1')),
		/^12 of 12 .* row 10 \(Rahul Sen\): [^;]*; and 2 more$/,
		0,
	],
])('wrong rows are listed, and none is sent: %s', async (_what, items, listed, itemIndex) => {
	const { message, ...details } = await node.refusal(ROW, { items });
	expect(message).toMatch(listed);
	expect(details).toMatchObject({ itemIndex, code: 'invalid-input' });
});

test.each<[IDataObject, string]>([
	[{ id: 28, recipient: BOB.id }, `row with id 28 (${BOB.id})`],
	[{ row_number: 5, id: 28, Name: 'Ann', recipient: BOB.id }, 'row 5 (Ann)'],
	[{ id: 'INV-9', Name: '', to: TOKEN }, 'row 2 (0xd8dA…6045)'],
	[{ row_number: '7', other: 'Ann' }, 'row 2'],
])('a row has the name that its table gives it: %j', async (columns, row) => {
	const items = [...rows('1'), { ...columns, amount: '2,5' }];
	const { error } = await node.run({ ...ROW, recipient: BOB.id }, { items });
	expect(error?.message).toContain(`nothing was sent: ${row}: Amount: `);
	// n8n would add "[item 1]" to the title.
	expect(error?.context.itemIndex).toBeUndefined();
	expect(error?.description).not.toMatch(/\bitem\b/i);
});

test('the total of a token is compared with the balance before the first payment', async () => {
	node.service.reports({ balance: '80000000' });
	const { message } = await node.refusal(ROW, { items: rows('50', '20', '10.5') });
	expect(message).toMatch(
		/^The list cannot be sent, nothing was sent: .*Not enough SUSD: 80.5 needed, 80 available/,
	);
	const { error } = await node.run(ROW, { items: rows('50', '20', '10') });
	expect(error).toBeUndefined();
	expect(amounts()).toEqual(['50000000', '20000000', '10000000']);
});

test('what was checked is sent, whatever the expressions of later rows give by then', async () => {
	const variables: IDataObject = { factor: 1 };
	void node.service.received(1).then(() => (variables.factor = 100));
	const given = { ...ROW, amount: '={{ $json.amount * $vars.factor }}' };
	const { error } = await node.run(given, { items: rows('1', '2', '3'), variables });
	expect(error).toBeUndefined();
	expect(amounts()).toEqual(['1000000', '2000000', '3000000']);
});

test('a list that is only tried reports its wrong rows and its total together', async () => {
	node.service.reports({ balance: '80000000' });
	const { message } = await node.refusal(TRY, { items: rows('50', '2,5', '31') });
	expect(message).toMatch(
		/^1 of 3 cannot be sent, nothing was sent: row 2 .*; Amount: Not enough SUSD: 81 needed, 80 available$/,
	);
});

test('a list that is only tried reports forbidden rows with the wrong ones', async () => {
	const credential = node.service.credential({ allowedRecipients: ALICE.id, allowWrites: true });
	const items = [...rows('1'), { amount: 'x', recipient: ALICE.id }];
	const { message } = await node.refusal(TRY, { items, credential });
	expect(message).toMatch(
		/^2 of 2 .*: row 1 .*"Allowed Recipients".*; row 2 \(DISCORD-1\): Amount: /,
	);
});

test('limits of the credential count the whole list', async () => {
	const credential = node.service.credential({ amountLimits: `20 ${TOKEN}`, allowWrites: true });
	const { message, code } = await node.refusal(ROW, { items: rows('15', '15'), credential });
	expect(code).toBe('policy-refused');
	expect(message).toMatch(/^1 of 2 cannot be sent, nothing was sent: row 2/);
});

test('a service that cannot be asked ends the check at once', async () => {
	node.service.script = ({ path }) => (path.includes(BOB.id) ? { status: 403 } : undefined);
	const { message } = await node.refusal(ROW, { items: rows('1', '2') });
	expect(message).toMatch(/^1 of 2 cannot be sent, nothing was sent: row 1 \(Rahul Sen\): /);
	expect(node.service.asked(BOB.id)).toHaveLength(1);
});

test('if the workflow continues, a wrong row becomes an error item, and the others are sent', async () => {
	const { items } = await node.run(ROW, { items: rows('1', 'x', '3'), node: CONTINUE });
	expect(items.map(({ json }) => json.submitted ?? 'error')).toEqual([true, 'error', true]);
	expect(amounts()).toEqual(['1000000', '3000000']);
});

test('a list that stops in its middle says first how many were sent', async () => {
	node.service.answer(done(1), failed());
	const { error } = await node.run(ROW, { items: rows('1', '2', '3') });
	expect(error?.message).toMatch(/^1 of 3 were sent, then stopped at row 2 \(Rahul Sen\): /);
	expect(error?.description).toContain(hashOf(1));
});

test('a row that is refused stands beside one that may have been sent before, so that nothing was sent now', async () => {
	node.service.answer({ status: 500, body: 'oops' });
	const variables = {
		get second() {
			return node.service.writes.length === 0 ? '14' : 'much';
		},
	};
	const list = { ...ROW, amount: '={{ $itemIndex === 0 ? "15" : $vars.second }}' };
	const { error } = await node.run(list, { items: rows('', ''), node: RETRY, variables });
	const both = /^2 of 2 cannot be sent, nothing was sent now: row 1 .* may have .*; row 2 .*"much"/;
	expect(error?.message).toMatch(both);
	expect(error?.context.details).toMatchObject({ outcome: 'unknown' });
	expect(node.service.writes).toHaveLength(1);
});

test('a list whose rest is refused as a whole says so of no item, as one has been sent', async () => {
	node.service.answer(done(1), failed());
	void node.service.received(2).then(() => node.service.reports({ balance: '1000000' }));
	const { error } = await node.run(ROW, { items: rows('1', '2', '3'), node: RETRY });
	expect(error?.message).toMatch(/^The list cannot be sent, nothing more was sent: /);
	expect(error?.description).toMatch(
		/^Nothing more was sent\. [^\n]* first<br>\nSubmitted before, row 1 \(Rahul Sen\): /,
	);
});

test('a list that n8n runs again sends the rest, whatever its sent rows have become', async () => {
	node.service.answer(done(1), failed());
	const variables: IDataObject = { first: '1' };
	void node.service.received(2).then(() => (variables.first = 'x'));
	const amount = '={{ $itemIndex === 0 ? $vars.first : "2" }}';
	const call = sendOf({ amount, recipient: BOB.id });
	const { error } = await node.run(call, { items: [{}, {}, {}], node: RETRY, variables });
	expect(error).toBeUndefined();
	expect(amounts()).toEqual(['1000000', '2000000', '2000000', '2000000']);
});

test('an unknown outcome keeps its hash in the error of the list', async () => {
	node.service.answer({ status: 500, body: hashOf(9) });
	const { error } = await node.run(ROW, { items: rows('1', '2'), node: RETRY });
	expect(error?.context.details).toMatchObject({ outcome: 'unknown', hashes: [hashOf(9)] });
	expect(amounts()).toEqual(['1000000']);
});

test('contract calls are checked as a list, too', async () => {
	const args = '={{ [$json.value] }}';
	const items = [{ value: '1' }, { value: 'one' }];
	const { message } = await node.refusal(storeCall(TOKEN, { args }), { items });
	expect(message).toMatch(/^1 of 2 cannot be sent, nothing was sent: row 2: /);
});

test('a call of unknown outcome stops a list that contains it', async () => {
	node.service.answer(LOST);
	await node.run(ROW, { items: rows('2'), node: CONTINUE });
	const { error } = await node.run(ROW, { items: rows('1', '2') });
	expect(error?.message).toMatch(
		/^1 of 2 cannot be sent, nothing was sent now: row 2 .*Not sent again/,
	);
	expect(error?.context.details).toMatchObject({ outcome: 'unknown', code: 'not-sent-again' });
	expect(amounts()).toEqual(['2000000']);
});

test('a list with a wrong row and one of unknown outcome has the number of the unknown one', async () => {
	node.service.answer(LOST);
	await node.run(ROW, { items: rows('2'), node: CONTINUE });
	const { error } = await node.run(ROW, { items: rows('2,5', '2') });
	expect(error?.message).toMatch(/^2 of 2 cannot be sent, nothing was sent now: row 1 /);
	expect(error?.context.details).toMatchObject({ outcome: 'unknown', itemIndex: 1 });
});

/** A table whose rows have numbers and names. */
const TABLE = [28, 31, 32].map((id) => ({
	id,
	amount: String(id - 27),
	recipient: BOB.id,
	name: `Ann ${id}`,
}));
test('where a list stops, each row is named as its table does, with whom it is for, one fact per line', async () => {
	node.service.answer(done(1), failed());
	const { error } = await node.run(ROW, { items: TABLE });
	expect(error?.message).toBe(
		'1 of 3 were sent, then stopped at row with id 31 (Ann 31): no gas yet',
	);
	expect(error?.description?.split('<br>\n')).toEqual([
		'Check the parameters of this item',
		`Submitted before, row with id 28 (Ann 28): ${hashOf(1)}`,
	]);
	// n8n would add "[item 1]" to the title.
	expect(error?.context.itemIndex).toBeUndefined();
	expect(error?.context.details).toMatchObject({ itemIndex: 1 });
});

test('a first row that fails is named, too', async () => {
	node.service.answer(failed());
	const { error } = await node.run(ROW, { items: TABLE });
	expect(error?.message).toBe('Stopped at row with id 28 (Ann 28): no gas yet');
	expect(error?.description).toBe('Check the parameters of this item');
});

test('the next try names what was sent before in the same way', async () => {
	node.service.answer(done(1), LOST);
	const { error } = await node.run(ROW, { items: TABLE, node: RETRY });
	expect(error?.message).toMatch(/^1 of 3 cannot be sent, .*: row with id 31 \(Ann 31\): Not sent/);
	const line = `Submitted before, row with id 28 (Ann 28): ${hashOf(1)}`;
	expect(error?.description?.split('<br>\n').slice(1)).toEqual([line]);
});

test('an error item names its row', async () => {
	node.service.answer(done(1), failed());
	const { items: output } = await node.run(ROW, { items: TABLE, node: CONTINUE });
	expect(output[1]?.json).toMatchObject({
		error: 'no gas yet',
		message: 'Check the parameters of this item. Row with id 31 (Ann 31)',
		details: { itemIndex: 1 },
	});
});

test('one item is no list', async () => {
	node.service.answer(failed());
	const { error } = await node.run(ROW, { items: TABLE.slice(0, 1) });
	expect(error).toMatchObject({ message: 'no gas yet', context: { itemIndex: 0 } });
	expect(error?.description).toBe('Check the parameters of this item. Item 1');
});
