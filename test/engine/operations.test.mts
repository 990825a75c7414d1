/** Operations compared with ethers' view of the chain; `contract-fuzz` tests contract calls, `documented-outputs` users. */
import { Contract, formatUnits } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import { sendOf } from './support/kinds-of-writes.mts';
import { useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const node = useNode(useService());

async function outputOf(parameters: IDataObject): Promise<IDataObject[]> {
	const { items, error } = await node.run(parameters);
	expect(error).toBeUndefined();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
	return items.map(({ json }) => json);
}

const ABI = [
	'function balanceOf(address) view returns (uint256)',
	'function balanceOf(address,uint256) view returns (uint256)',
	'function ownerOf(uint256) view returns (address)',
	'function decimals() view returns (uint8)',
	'function symbol() view returns (string)',
	'function name() view returns (string)',
	'event Transfer(address indexed from, address indexed to, uint256 value)',
];
const contractAt = (address: string) => new Contract(address, ABI, node.service.chain);
/** The value that a function of a contract returns. */
const valueOf = async (address: string, signature: string, ...args: unknown[]): Promise<unknown> =>
	await contractAt(address)
		.getFunction(signature)
		.staticCall(...args);
const balanceOf = async (token: string, owner: string): Promise<unknown> =>
	await valueOf(token, 'balanceOf(address)', owner);

const amountOf = (units: bigint, decimals: number) =>
	formatUnits(units, decimals).replace(/\.0$/, '');
const transactionOf = async ({ hash }: IDataObject = {}) =>
	await node.service.chain.getTransaction(String(hash));

const rahul = () => node.service.user('Rahul Sen');
const OF_NETWORK = { network: 'sandbox', chainId: 31337 };

test('Balance: Get Native is the balance on the chain', async () => {
	const { id: userId, address } = rahul();
	const balance = await node.service.chain.getBalance(address);
	expect(await outputOf({ resource: 'balance', operation: 'native', userId })).toEqual([
		{
			userId,
			symbol: 'ETH',
			name: 'Ether',
			decimals: 18,
			tokenAddress: null,
			baseUnits: balance.toString(),
			amount: amountOf(balance, 18),
			...OF_NETWORK,
		},
	]);
});

test.each(['usd', 'gold'] as const)('Balance: Get Token is the balance of %s', async (which) => {
	const token = node.service.contracts[which];
	const { id: userId, address } = node.service.user();
	const [symbol, name] = [await valueOf(token, 'symbol'), await valueOf(token, 'name')];
	const balance = BigInt(String(await balanceOf(token, address)));
	const decimals = Number(await valueOf(token, 'decimals'));
	expect(await outputOf({ resource: 'balance', operation: 'token', userId, token })).toEqual([
		{
			userId,
			symbol,
			name,
			decimals,
			tokenAddress: token,
			...OF_NETWORK,
			baseUnits: String(balance),
			amount: amountOf(balance, decimals),
		},
	]);
});

test('History: Get Many lists the transfers of the chain, newest first', async () => {
	const { address } = node.service.user();
	const items = await outputOf({ resource: 'history', operation: 'list', returnAll: true });
	expect(items.length).toBeGreaterThan(3);
	const usd = contractAt(node.service.contracts.usd);
	const logsOf = async (direction: string, ...parties: (string | null)[]) => {
		const logs = await usd.queryFilter(usd.filters.Transfer?.(...parties) ?? '*', 0);
		return logs.map(({ transactionHash: hash, data, topics }) => {
			const { value } = usd.interface.decodeEventLog('Transfer', data, topics);
			return { hash, amount: amountOf(value, 6), direction };
		});
	};
	const onChain = [
		...(await logsOf('sent', address)),
		...(await logsOf('received', null, address)),
	];
	const tokenAddress = node.service.contracts.usd.toLowerCase();
	const listed = items.filter((item) => item.tokenAddress === tokenAddress);
	const sorted = (list: object[]) => list.map((entry) => JSON.stringify(entry)).sort();
	expect(
		sorted(listed.map(({ hash, amount, direction }) => ({ hash, amount, direction }))),
	).toEqual(sorted(onChain));
	for (const item of listed) {
		const { timestamp = 0 } = (await (await transactionOf(item))?.getBlock()) ?? {};
		expect(item.timestamp).toBe(new Date(timestamp * 1000).toISOString());
	}
	const times = items.map(({ timestamp }) => String(timestamp));
	expect(times).toEqual([...times].sort().reverse());
});

const send = (token: string, changes: IDataObject): IDataObject =>
	sendOf({ token, recipient: rahul().id, ...changes });

test.each([
	{ name: 'usd', amount: '0.000001', units: 1n },
	{ name: 'gold', amount: '1.000000000000000001', units: 1_000_000_000_000_000_001n },
] as const)('Token: Send moves $amount of $name on the chain', async ({ name, amount, units }) => {
	const token = node.service.contracts[name];
	const { address } = rahul();
	const before = BigInt(String(await balanceOf(token, address)));
	const [item] = await outputOf(send(token, { amount }));
	expect(item).toMatchObject({
		amount,
		submitted: true,
		to: address,
		baseUnits: units.toString(),
		symbol: await valueOf(token, 'symbol'),
	});
	const parties = { from: node.service.user().address, to: token };
	expect(await transactionOf(item)).toMatchObject(parties);
	expect(await balanceOf(token, address)).toBe(before + units);
});

test('Token: Send moves an NFT once, and several of a numbered token', async () => {
	const { art, items } = node.service.contracts;
	const { address } = rahul();
	// In the seed data, the first user owns NFT 1 of the art contract and 3 units of item 7.
	const piece = send(art, { tokenStandard: 'erc721', pieceId: '1' });
	await outputOf(piece);
	expect(await valueOf(art, 'ownerOf', 1n)).toBe(address);
	const { error } = await node.run(piece);
	expect(error?.message).toMatch(/^Nelly \(DISCORD-.*\) does not own SART #1$/);
	const pieces = async () => await valueOf(items, 'balanceOf(address,uint256)', address, 7n);
	const before = BigInt(String(await pieces()));
	await outputOf(send(items, { tokenStandard: 'erc1155', pieceId: '7', amount: '2' }));
	expect(await pieces()).toBe(before + 2n);
});
