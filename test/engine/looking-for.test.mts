/** What people meet with NFTs, with contracts that lack a function, and when they look for the network's coin. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json } from './support/answers.mts';
import { useForm } from './support/form.mts';
import { callOf, sendOf } from './support/kinds-of-writes.mts';
import { TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const form = useForm();

test.each([
	[
		{ decimals: undefined, isNft: true },
		'SUSD is an NFT, not an ERC-20 token',
		'leave Amount empty',
	],
	// An old NFT would take the amount for the ID of a piece.
	[{ decimals: 0, isNft: true }, 'SUSD is an NFT, not an ERC-20 token', 'leave Amount empty'],
	[
		{ decimals: undefined, isItems: true },
		'SUSD is a collection of items, not',
		'enter the quantity as Amount',
	],
])(
	'with %j, an amount without a Token ID is refused, and the error states what to enter',
	async (facts, message, advice) => {
		node.service.reports(facts);
		const refusal = await node.refusal(sendOf({ amount: '1' }));
		expect(refusal.message).toContain(`Token: ${message}`);
		expect(refusal.hint).toBe(`Add Token ID under Options, and ${advice}`);
		expect(node.service.writes).toEqual([]);
	},
);

test('a token without decimal places that is no NFT is sent', async () => {
	node.service.reports({ decimals: 0 });
	expect(await node.items(sendOf({ amount: '3' }))).toMatchObject([{ baseUnits: '3' }]);
});

test('a failed read asks whether the contract has the function', async () => {
	const read = (more: IDataObject = {}) =>
		callOf('slot0() view returns (uint256)', [], { operation: 'read', ...more });
	const until = { condition: 'is', conditionValue: '1', waitUpTo: 0 };
	for (const options of [{}, { waitUntil: { until } }]) {
		const { error } = await node.run(read({ options }));
		expect(error?.description).toMatch(/^Does this contract have slot0\(\)\? If so, check/);
	}
});

test('a balance has the ID of an NFT, where the service reports it', async () => {
	const entry = { balance: '1', decimals: 0, symbol: 'ART', tokenAddress: TOKEN, network: 'x' };
	for (const tokenId of [undefined, '42', 42, { type: 'BigNumber', hex: '0x2a' }]) {
		node.service.script = () => json({ [TOKEN]: { ...entry, tokenId } });
		const [item] = await node.outputs({ resource: 'balance', operation: 'token', token: TOKEN });
		expect(item?.tokenId).toBe(tokenId === undefined ? undefined : '42');
	}
});

describe('a search for ETH among the tokens', () => {
	const search = async (resource: string, filter: string) => {
		node.service.script = () =>
			json([{ amount: { tokenAddress: TOKEN, symbol: 'SUSD', name: 'Dollar', decimals: 6 } }]);
		const credentials = { walletServiceApi: node.service.credential() };
		const open = { parameters: { resource } as INodeParameters, credentials };
		return (await form.search('getTokens', open, filter)).results;
	};

	test.each(['ETH', 'ether', 'bitcoin'])('%s: Token: Send says what it can send', async (words) => {
		const name = "No such token. The network's coin (ETH) cannot be sent";
		expect(await search('token', words)).toEqual([{ name, value: '' }]);
		expect(await search('balance', words)).toEqual([]);
	});

	test('a token that fits is listed', async () => {
		expect(await search('token', 'susd')).toHaveLength(1);
	});
});
