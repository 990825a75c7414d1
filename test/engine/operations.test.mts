/** Each operation, compared with what ethers reads from the chain itself. */
import { Contract, formatUnits } from 'ethers';

import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

const ERC20 = [
	'function balanceOf(address) view returns (uint256)',
	'function decimals() view returns (uint8)',
	'function symbol() view returns (string)',
	'function name() view returns (string)',
	'function allowance(address,address) view returns (uint256)',
	'event Transfer(address indexed from, address indexed to, uint256 value)',
];

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});

async function outputOf(parameters: Record<string, string | number | boolean>) {
	const { items, error } = await engine.run({ parameters, credential: service.credential() });
	expect(error).toBeUndefined();
	return items;
}

const erc20 = (address: string) => new Contract(address, ERC20, service.chain);

test('User: Get gives the five fields of a user', async () => {
	const { id, provider, username, address } = service.user();
	const items = await outputOf({ resource: 'user', operation: 'get', userId: id });
	expect(items).toEqual([
		{
			json: { id, provider, username, address, imageSrc: expect.stringMatching(/^http/) },
			pairedItem: { item: 0 },
		},
	]);
});

test('Balance: Get Native is the balance on the chain', async () => {
	const { id, address } = service.user('Rahul Sen');
	const [item] = await outputOf({ resource: 'balance', operation: 'native', userId: id });
	const balance = await service.chain.getBalance(address);
	expect(item?.json).toEqual({
		userId: id,
		symbol: 'ETH',
		name: 'Ether',
		baseUnits: balance.toString(),
		amount: formatUnits(balance, 18).replace(/\.0$/, ''),
		decimals: 18,
		tokenAddress: null,
		network: 'sandbox',
		chainId: 31337,
	});
});

test.each(['usd', 'gold'] as const)('Balance: Get Token is the balance of %s', async (name) => {
	const token = service.contracts[name];
	const { id, address } = service.user();
	const [item] = await outputOf({
		resource: 'balance',
		operation: 'token',
		userId: id,
		token,
	});
	const contract = erc20(token);
	const [balance, decimals, symbol, title] = await Promise.all([
		contract.balanceOf?.(address),
		contract.decimals?.(),
		contract.symbol?.(),
		contract.name?.(),
	]);
	expect(item?.json).toEqual({
		userId: id,
		symbol,
		name: title,
		baseUnits: String(balance),
		amount: formatUnits(balance, decimals).replace(/\.0$/, ''),
		decimals: Number(decimals),
		tokenAddress: token,
		network: 'sandbox',
		chainId: 31337,
	});
});

test('History: Get Many lists the transfers of the chain, newest first', async () => {
	const { id, address } = service.user();
	const items = await outputOf({
		resource: 'history',
		operation: 'list',
		userId: id,
		returnAll: true,
	});
	expect(items.length).toBeGreaterThan(3);
	const usd = erc20(service.contracts.usd);
	const [sent, received] = await Promise.all([
		usd.queryFilter(usd.filters.Transfer?.(address) ?? '*', 0),
		usd.queryFilter(usd.filters.Transfer?.(null, address) ?? '*', 0),
	]);
	const onChain = [...sent, ...received].map((log) => ({
		hash: log.transactionHash,
		amount: formatUnits(
			usd.interface.decodeEventLog('Transfer', log.data, log.topics).value,
			6,
		).replace(/\.0$/, ''),
		direction: sent.includes(log) ? 'sent' : 'received',
	}));
	const listed = items
		.map(({ json }) => json)
		.filter((json) => json.tokenAddress === service.contracts.usd.toLowerCase());
	const sorted = (list: object[]) => list.map((entry) => JSON.stringify(entry)).sort();
	expect(
		sorted(listed.map(({ hash, amount, direction }) => ({ hash, amount, direction }))),
	).toEqual(sorted(onChain));
	for (const json of listed) {
		const block = await service.chain.getTransactionReceipt(String(json.hash));
		const { timestamp = 0 } = (await service.chain.getBlock(block?.blockNumber ?? 0)) ?? {};
		expect(json.timestamp).toBe(new Date(timestamp * 1000).toISOString());
	}
	const times = items.map(({ json }) => String(json.timestamp));
	expect(times).toEqual([...times].sort().reverse());
	expect(Object.keys(items[0]?.json ?? {})).toEqual([
		...['timestamp', 'direction', 'amount', 'symbol', 'who', 'explorerUrl'],
		...['toAddress', 'tokenAddress', 'hash', 'userId'],
	]);
});

test('History: Get Many stops at the limit', async () => {
	const all = await outputOf({ resource: 'history', operation: 'list', returnAll: true });
	const two = await outputOf({
		resource: 'history',
		operation: 'list',
		returnAll: false,
		limit: 2,
	});
	expect(two).toEqual(all.slice(0, 2));
});

test('Contract: Read returns the value of the function', async () => {
	const { address } = service.user();
	const token = service.contracts.gold;
	const [item] = await outputOf({
		resource: 'contract',
		functionSource: 'signature',
		operation: 'read',
		contractAddress: token,
		abi: 'function balanceOf(address owner) external view returns (uint256)',
		argumentsMode: 'json',
		args: JSON.stringify([address]),
	});
	expect(item?.json).toMatchObject({
		value: String(await erc20(token).balanceOf?.(address)),
		status: 'SUCCESS',
		explorerUrl: expect.stringContaining(token),
	});
});

test('Contract: Write submits the transaction that the chain then holds', async () => {
	const { address } = service.user();
	const spender = service.user('Rahul Sen').address;
	const amount = '123456789012345678901234567890';
	const [item] = await outputOf({
		resource: 'contract',
		functionSource: 'signature',
		operation: 'write',
		contractAddress: service.contracts.usd,
		abi: 'approve(address,uint256)',
		argumentsMode: 'json',
		args: JSON.stringify([spender, amount]),
	});
	expect(item?.json).toMatchObject({
		submitted: true,
		hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
		explorerUrl: expect.stringContaining(String(item?.json.hash)),
	});
	expect(item?.json).not.toHaveProperty('tx');
	const transaction = await service.chain.getTransaction(String(item?.json.hash));
	expect(transaction).toMatchObject({ from: address, to: service.contracts.usd });
	const allowance = erc20(service.contracts.usd).allowance?.(address, spender);
	expect(String(await allowance)).toBe(amount);
});

test.each([
	{ name: 'usd', amount: '0.000001', units: 1n },
	{ name: 'gold', amount: '1.5', units: 1_500_000_000_000_000_000n },
] as const)('Token: Send moves $amount of $name on the chain', async ({ name, amount, units }) => {
	const token = service.contracts[name];
	const { id, address } = service.user('Rahul Sen');
	const balance = async () => BigInt(String(await erc20(token).balanceOf?.(address)));
	const before = await balance();
	const [item] = await outputOf({
		...{ resource: 'token', operation: 'send', token, recipient: id, amount },
	});
	expect(item?.json).toMatchObject({
		amount,
		symbol: String(await erc20(token).symbol?.()),
		submitted: true,
		to: address,
		baseUnits: units.toString(),
	});
	const transaction = await service.chain.getTransaction(String(item?.json.hash));
	expect(transaction).toMatchObject({ from: service.user().address, to: token });
	expect(await balance()).toBe(before + units);
});

test('Token: Send moves an NFT and several pieces of one kind', async () => {
	const { art, items } = service.contracts;
	const { id, address } = service.user('Rahul Sen');
	const send = { resource: 'token', operation: 'send', recipient: id };
	// Seeded: piece 1 of the art and 3 of item 7 belong to the first user.
	await outputOf({ ...send, token: art, tokenStandard: 'erc721', pieceId: '1' });
	const owner = new Contract(
		art,
		['function ownerOf(uint256) view returns (address)'],
		service.chain,
	);
	expect(await owner.ownerOf?.(1n)).toBe(address);
	const again = { ...send, token: art, tokenStandard: 'erc721', pieceId: '1' };
	const { error } = await engine.run({ parameters: again, credential: service.credential() });
	expect(error?.message).toMatch(/^Nelly \(DISCORD-.*\) does not own SART #1$/);
	const signature = 'function balanceOf(address,uint256) view returns (uint256)';
	const pieces = new Contract(items, [signature], service.chain);
	const before = BigInt(String(await pieces.balanceOf?.(address, 7n)));
	await outputOf({ ...send, token: items, tokenStandard: 'erc1155', pieceId: '7', amount: '2' });
	expect(await pieces.balanceOf?.(address, 7n)).toBe(before + 2n);
});

test('Token: Send refuses more than there is, and what is no token, in words', async () => {
	const { usd, shapes } = service.contracts;
	const send = { resource: 'token', operation: 'send', recipient: service.user('Rahul Sen').id };
	const credential = service.credential();
	const { amount } =
		(await outputOf({ resource: 'balance', operation: 'token', token: usd }))[0]?.json ?? {};
	const [tooMuch, noToken] = [
		await engine.run({ parameters: { ...send, token: usd, amount: '1000000' }, credential }),
		await engine.run({ parameters: { ...send, token: shapes, amount: '1' }, credential }),
	];
	expect(tooMuch.error?.message).toContain(
		`${service.user().id} has ${String(amount)} SUSD, 1000000 are needed`,
	);
	expect(noToken.error?.message).toContain('does not look like an ERC-20 token');
});
