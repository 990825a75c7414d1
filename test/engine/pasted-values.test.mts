/** Values as people copy them, and numbers as workflows compute them: read where they can mean one thing only. */
import type { IDataObject } from 'n8n-workflow';

import { callOf, sendOf, transferOf } from './support/kinds-of-writes.mts';
import { BOB, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

describe('one user or address, with the rest of a list behind it, is read', () => {
	const RECIPIENTS: readonly [string, (to: string) => IDataObject][] = [
		['a recipient', (recipient) => sendOf({ recipient })],
		['a field', (to) => transferOf('5', to)],
		['a JSON argument', (to) => callOf('transfer(address,uint256)', [to, '5'])],
	];
	test.each(RECIPIENTS)('as %s', async (_what, parameters) => {
		for (const to of [`${BOB.id},`, `${BOB.id} ; `, `${BOB.address},\n`])
			await node.items(parameters(to));
		expect(node.service.writes.map(({ args }) => args[0])).toEqual(Array(3).fill(BOB.address));
	});

	test('but not two', async () => {
		const { message } = await node.refusal(sendOf({ recipient: `${BOB.id}, DISCORD-1,` }));
		expect(message).toContain('is a list');
	});
});

test.each<[number, number, string]>([
	[100 / 3, 6, '33.333333'],
	[4.35 * 100, 6, '435'],
	[100 / 3, 2, '33.33'],
	[100 / 3, 18, '33.3333333333333'],
])(
	'the computed amount %d of a token with %d decimals has the hint %s',
	async (n, decimals, hint) => {
		node.service.reports({ decimals, balance: String(10n ** 30n) });
		const { error } = await node.run(sendOf({ amount: '={{ $json.n }}' }), { items: [{ n }] });
		expect(error?.message).toContain(`${n} cannot be read exactly from a number`);
		const words = new RegExp(`write (\\S+) \\(rounded to ${decimals} decimal places\\)`);
		const [, rounded] = words.exec(error?.description ?? '') ?? [];
		expect(rounded).toBe(hint);
		// It is taken as it is.
		await node.items(sendOf({ amount: rounded }));
		expect(node.service.writes).toHaveLength(1);
	},
);

test('a computed amount in text has the hint with its unit', async () => {
	const amount = '={{ 100 / 3 }} token';
	const { error } = await node.run(transferOf(amount));
	expect(error?.description).toContain('Rounded: 33.333333 token');
	await node.items(transferOf('33.333333 token'));
	expect(node.service.writes).toMatchObject([{ args: [BOB.address, '33333333'] }]);
});

test('an ID or a quantity may have white space around it, an amount may not', async () => {
	const abi = 'safeTransferFrom(address,address,uint256,uint256,bytes)';
	await node.items(callOf(abi, [BOB.id, BOB.id, '7 ', ' 1 ', '0x']));
	expect(node.service.writes).toMatchObject([
		{ address: TOKEN, args: [BOB.address, BOB.address, '7', '1', '0x'] },
	]);
	node.service.reset();
	const { message } = await node.refusal(callOf('transfer(address,uint256)', [BOB.id, '1 ']));
	expect(message).toContain('"1 " ends with white space; its unit may be missing');
});
