/** The recipe of monthly salaries: its Order ID pays each person once a month. */
import { readDocument, sectionOf } from '../support/docs/documents.mts';
import { nodesOf } from '../support/docs/markdown.mts';
import { KeptWrites } from './support/kept-writes.mts';
import { replaysOf } from './support/rows.mts';

const kept = new KeptWrites();

test('each person is paid once a month, however often the workflow runs', async () => {
	const { nodes } = sectionOf(await readDocument('docs/recipes.md'), 'Pay salaries once a month');
	const [order = ''] = nodes.flatMap((node) => nodesOf(node, 'code')).map(({ value }) => value);
	const { user } = kept.node.service;
	const items = [{ recipient: user('Rahul Sen').id }, { recipient: user('mika_dev').id }];
	const pay = async (orderId: string) => {
		const each = { ...kept.pay('0.01', { orderId }), recipient: '={{ $json.recipient }}' };
		return replaysOf((await kept.node.run(each, { items })).items);
	};
	const next = order.replace('$now', '$now.plus({ months: 1 })');
	expect(next).not.toBe(order);
	const [count, replays] = await kept.transactionsOf(
		async () => [await pay(`=${order}`), await pay(`=${order}`), await pay(`=${next}`)],
		4,
	);
	expect(replays).toEqual([
		[false, false],
		[true, true],
		[false, false],
	]);
	expect(count).toBe(4);
});
