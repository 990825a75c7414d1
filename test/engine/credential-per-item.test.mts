/** A credential that differs from item to item, or that changes while an item runs: nothing of one is used for another. */
import type { IDataObject } from 'n8n-workflow';

import { storeCall } from './support/contract-calls.mts';
import { BOB, TOKEN } from './support/scripted-world.mts';
import { CONTINUE, useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const ITEMS = 200;
const ODD_ITEM = 33;

describe('an access token by an expression', () => {
	const node = useNode(useService());

	test.each([
		['its own token', '={{ $json.accessToken }}'],
		['a token of its own instead of the usual one', '={{ $json?.odd || "USUAL" }}'],
		['a token by its place', `={{ $itemIndex === ${ODD_ITEM} ? "wrong" : "USUAL" }}`],
		['a token by the item of another node', '={{ $("Start").item.json.accessToken }}'],
	])('one item among many with %s', async (_name, token) => {
		const usual = node.service.user().accessToken;
		const accessToken = token.replace('USUAL', usual);
		const result = await node.run(
			{ resource: 'user', operation: 'get' },
			{
				credential: { ...node.service.credential(), accessToken },
				items: Array.from({ length: ITEMS }, (_unused, index) =>
					index === ODD_ITEM ? { odd: 'wrong', accessToken: 'wrong' } : { accessToken: usual },
				),
				node: CONTINUE,
			},
		);
		const failed = result.items.filter(({ json }) => json.error !== undefined);
		expect(failed).toMatchObject([
			{ pairedItem: { item: ODD_ITEM }, json: { details: { httpStatus: 401 } } },
		]);
	});

	test('each write goes out with the token of its own item', async () => {
		const users = (['Nelly', 'Rahul Sen', 'Nelly', 'mika_dev'] as const).map(node.service.user);
		const { items } = await node.run(storeCall(node.service.contracts.shapes), {
			credential: { ...node.service.credential(), accessToken: '={{ $json.accessToken }}' },
			items: users.map(({ accessToken }) => ({ accessToken })),
		});
		const hashes = items.map(({ json }) => String(json.hash));
		const sent = hashes.map(async (hash) => await node.service.chain.getTransaction(hash));
		expect(await Promise.all(sent)).toMatchObject(users.map(({ address }) => ({ from: address })));
	});
});

describe('a base URL that changes after something was looked up', () => {
	const node = useNode();
	const send = { resource: 'token', operation: 'send', token: TOKEN, recipient: BOB.id };
	const pay = storeCall(TOKEN, { abi: 'pay(address)', args: JSON.stringify([BOB.id]) });

	test.each<[string, IDataObject, lookedUp: string]>([
		['a token', { ...send, amount: '1' }, '/read'],
		['a contract call for the wallet of a user', pay, BOB.id],
	])('%s is not sent to the other service', async (_what, parameters, lookedUp) => {
		const { baseUrl } = node.service;
		const credential = {
			...node.service.credential(),
			get baseUrl() {
				return node.service.asked(lookedUp).length > 0 ? `${baseUrl}/elsewhere` : baseUrl;
			},
		};
		const { error } = await node.run(parameters, { credential });
		// Reads may go there, nothing else.
		const elsewhere = node.service.asked('/elsewhere').filter((path) => !path.endsWith('/read'));
		expect([elsewhere, node.service.writes]).toEqual([[], []]);
		expect(error?.message).toMatch(/^Base URL: .* changed/);
		expect(error).toMatchObject({ context: { details: { outcome: 'refused' } } });
	});
});
