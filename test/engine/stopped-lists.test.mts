/** Where a list of writes stops, its error names each row as its table does, and states one fact per line. */
import { failed, hashOf, LOST } from './support/answers.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { BOB } from './support/scripted-world.mts';
import { CONTINUE, RETRY, useNode } from './support/use-node.mts';

const node = useNode();

const ROW = sendOf({ amount: '={{ $json.amount }}', recipient: BOB.id });
const items = [28, 31, 32].map((id) => ({
	id,
	amount: String(id - 27),
	recipient: BOB.id,
	name: `Ann ${id}`,
}));
const sent = { status: 200, body: { status: 'SUCCESS', hash: hashOf(1) } };

test('each row is named as its table does, with whom it is for, and nothing is counted as an item', async () => {
	node.service.answer(sent, failed());
	const { error } = await node.run(ROW, { items });
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
	const { error } = await node.run(ROW, { items });
	expect(error?.message).toBe('Stopped at row with id 28 (Ann 28): no gas yet');
	expect(error?.description).toBe('Check the parameters of this item');
});

test('the next try names what was sent before in the same way', async () => {
	node.service.answer(sent, LOST);
	const { error } = await node.run(ROW, { items, node: RETRY });
	expect(error?.message).toMatch(/^1 of 3 cannot be sent, .*: row with id 31 \(Ann 31\): Not sent/);
	const line = `Submitted before, row with id 28 (Ann 28): ${hashOf(1)}`;
	expect(error?.description?.split('<br>\n').slice(1)).toEqual([line]);
});

test('an error item names its row', async () => {
	node.service.answer(sent, failed());
	const { items: output } = await node.run(ROW, { items, node: CONTINUE });
	expect(output[1]?.json).toMatchObject({
		error: 'no gas yet',
		message: 'Check the parameters of this item. Row with id 31 (Ann 31)',
		details: { itemIndex: 1 },
	});
});

test('one item is no list', async () => {
	node.service.answer(failed());
	const { error } = await node.run(ROW, { items: items.slice(0, 1) });
	expect(error).toMatchObject({ message: 'no gas yet', context: { itemIndex: 0 } });
	expect(error?.description).toBe('Check the parameters of this item. Item 1');
});
