import { Interface } from 'ethers';
import type { HistoryEntry } from '../../sandbox/src/schemas/history.mts';
import { userPath, useService, type Username } from '../support/sandbox/service.mts';

const LIMIT = 20;
const sandbox = useService({ SANDBOX_HISTORY_LIMIT: String(LIMIT) });

async function historyOf(username: Username): Promise<HistoryEntry[]> {
	const { as, user } = sandbox();
	const { status, data } = await as('Nelly').get<HistoryEntry[]>(
		userPath(user(username), '/history'),
	);
	expect(status).toBe(200);
	return data;
}

async function write(
	username: Username,
	address: string,
	abi: string,
	args: string[],
): Promise<string> {
	const { data } = await sandbox()
		.as(username)
		.post('/v1/contracts/method/write', { address, abi, args });
	expect(data).toMatchObject({ status: 'SUCCESS' });
	return data.hash;
}

test('an entry has exactly the fields of the interface, with the time of its block', async () => {
	const { user, contracts, chain } = sandbox();
	const mika = user('mika_dev');
	const [entry] = await historyOf('mika_dev');
	const receipt = await chain.getTransactionReceipt(entry?.hash ?? '');
	const block = await chain.getBlock(receipt?.blockNumber ?? -1);
	expect(entry).toEqual({
		type: 'TRANSFER',
		to: { username: 'mika_dev', platform: 'TWITTER', address: mika.address },
		amount: {
			valueBn: { type: 'BigNumber', hex: '0xab54a98ceb1f0ad3' },
			formatted: 12.345678901234567,
			decimals: 18,
			symbol: 'SGLD',
			name: 'Sandbox Gold',
			tokenAddress: contracts.gold.toLowerCase(),
			network: 'SANDBOX',
			chainId: 31337,
		},
		timestamp: new Date((block?.timestamp ?? 0) * 1000).toISOString(),
		hash: receipt?.hash,
		explorerUrl: expect.stringContaining(`/explorer/tx/${receipt?.hash}`),
	});
	expect(BigInt(entry?.amount.valueBn.hex ?? 0)).toBe(12345678901234567891n);
});

test('what was sent and what was received are both there, of all three standards, and nothing of others', async () => {
	const { contracts } = sandbox();
	const entries = await historyOf('Nelly');
	const seen = entries.map(({ to, amount }) => [amount.tokenAddress, to.username].join(' '));
	const lower = (address: string) => address.toLowerCase();
	expect(seen.sort()).toEqual(
		[
			`${lower(contracts.usd)} Nelly`,
			`${lower(contracts.usd)} Nelly`,
			`${lower(contracts.usd)} Rahul Sen`,
			`${lower(contracts.gold)} Nelly`,
			`${lower(contracts.gold)} mika_dev`,
			`${lower(contracts.gold)} anna-k`,
			`${lower(contracts.art)} Nelly`,
			`${lower(contracts.items)} Nelly`,
			`${lower(contracts.items)} Nelly`,
		].sort(),
	);
	expect(await historyOf('newcomer')).toEqual([]);
});

test('pieces have no decimals, and a contract without name and symbol has empty ones', async () => {
	const { contracts } = sandbox();
	const entries = await historyOf('Nelly');
	const of = (address: string) =>
		entries.filter(({ amount }) => amount.tokenAddress === address.toLowerCase());
	expect(of(contracts.art)).toMatchObject([
		{ amount: { valueBn: { hex: '0x01' }, formatted: 1, decimals: 0, symbol: 'SART' } },
	]);
	// One batch of three pieces of one item and one of another, the last of the batch first.
	expect(of(contracts.items)).toMatchObject([
		{ amount: { valueBn: { hex: '0x01' }, formatted: 1, decimals: 0, symbol: '', name: '' } },
		{ amount: { valueBn: { hex: '0x03' }, formatted: 3, decimals: 0, symbol: '', name: '' } },
	]);
	expect(new Set(of(contracts.items).map(({ hash }) => hash)).size).toBe(1);
});

test('newest first, also for both sides of a new transfer', async () => {
	const { contracts, user, chain } = sandbox();
	const transfer = 'transfer(address,uint256) public returns (bool)';
	const first = await write('Nelly', contracts.usd, transfer, [user('anna-k').address, '1']);
	const second = await write('Nelly', contracts.usd, transfer, [user('anna-k').address, '2']);
	const sent = await historyOf('Nelly');
	const received = await historyOf('anna-k');
	expect(sent.slice(0, 2).map(({ hash }) => hash)).toEqual([second, first]);
	expect(received.slice(0, 2)).toEqual(sent.slice(0, 2));
	const blocks = await Promise.all(sent.map(({ hash }) => chain.getTransactionReceipt(hash)));
	const numbers = blocks.map((receipt) => receipt?.blockNumber ?? -1);
	expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
});

test('a recipient that is no user is named by its address and by the network', async () => {
	const { contracts } = sandbox();
	const stranger = '0x000000000000000000000000000000000000dEaD';
	await write('Nelly', contracts.gold, 'transfer(address,uint256)', [stranger, '5']);
	const [entry] = await historyOf('Nelly');
	expect(entry?.to).toEqual({ username: stranger, platform: 'SANDBOX', address: stranger });
});

test('a transfer of a wallet to itself is one entry', async () => {
	const { contracts, user } = sandbox();
	const before = await historyOf('mika_dev');
	const args = [user('mika_dev').address, '1'];
	const hash = await write('mika_dev', contracts.gold, 'transfer(address,uint256)', args);
	const after = await historyOf('mika_dev');
	expect(after).toHaveLength(before.length + 1);
	expect(after[0]?.hash).toBe(hash);
});

test('two identical transfers in one transaction are two entries', async () => {
	const { contracts, user } = sandbox();
	await write('Nelly', contracts.usd, 'approve(address,uint256)', [contracts.payouts, '1000']);
	const hash = await write('Nelly', contracts.payouts, 'payTwice(address,address,uint256)', [
		contracts.usd,
		user('StormRider').address,
		'7',
	]);
	const [first, second] = await historyOf('StormRider');
	expect(first?.hash).toBe(hash);
	expect(second).toEqual(first);
});

test('no more than the newest entries that the limit allows', async () => {
	const { contracts, user, chain } = sandbox();
	const recipients = JSON.stringify(
		Array.from({ length: LIMIT + 5 }, () => user('newcomer').address),
	);
	const hash = await write('Nelly', contracts.payouts, 'payEach(address,address[],uint256)', [
		contracts.usd,
		recipients,
		'1',
	]);
	const abi = new Interface([
		'event Transfer(address indexed from, address indexed to, uint256 value)',
	]);
	const receipt = await chain.getTransactionReceipt(hash);
	expect(receipt?.logs.filter((log) => abi.parseLog(log)?.name === 'Transfer')).toHaveLength(
		LIMIT + 5,
	);
	expect(await historyOf('newcomer')).toHaveLength(LIMIT);
	expect(await historyOf('Nelly')).toHaveLength(LIMIT);
});
