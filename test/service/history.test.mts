import { userPath, useService } from '../support/sandbox/service.mts';
import { Dollars } from './support/dollars.mts';

const LIMIT = 20;
const sandbox = useService({ SANDBOX_HISTORY_LIMIT: String(LIMIT) });
const dollars = new Dollars(sandbox);

test('an entry has exactly the fields of the interface, with the time of its block', async () => {
	const { user, contracts, chain } = sandbox();
	const mika = user('mika_dev');
	const [entry] = await dollars.historyOf('mika_dev');
	const receipt = await chain.getTransactionReceipt(entry?.hash ?? '');
	const block = await chain.getBlock(receipt?.blockNumber ?? -1);
	expect(entry).toEqual({
		type: 'TRANSFER',
		from: { username: 'Nelly', platform: 'DISCORD', address: user('Nelly').address },
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

test('transfers sent and received are listed, of all three standards, and no others', async () => {
	const { contracts } = sandbox();
	const entries = await dollars.historyOf('Nelly');
	const names = new Map(
		Object.entries(contracts).map(([name, address]) => [address.toLowerCase(), name]),
	);
	const seen = entries.map(({ to, amount }) => [names.get(amount.tokenAddress), to.username]);
	expect(seen.map((words) => words.join(' ')).sort()).toEqual([
		...['art Nelly', 'gold Nelly', 'gold anna-k', 'gold mika_dev', 'items Nelly', 'items Nelly'],
		...['usd Nelly', 'usd Nelly', 'usd Rahul Sen'],
	]);
	expect(await dollars.historyOf('newcomer')).toEqual([]);
});

test('NFTs have no decimals; a contract without name and symbol has empty ones', async () => {
	const { contracts } = sandbox();
	const entries = await dollars.historyOf('Nelly');
	const of = (address: string) =>
		entries.filter(({ amount }) => amount.tokenAddress === address.toLowerCase());
	expect(of(contracts.art)).toMatchObject([
		{ amount: { valueBn: { hex: '0x01' }, formatted: 1, decimals: 0, symbol: 'SART' } },
	]);
	// One batch transferred three of one item and one of another; the last transfer in it is listed first.
	expect(of(contracts.items)).toMatchObject([
		{ amount: { valueBn: { hex: '0x01' }, formatted: 1, decimals: 0, symbol: '', name: '' } },
		{ amount: { valueBn: { hex: '0x03' }, formatted: 3, decimals: 0, symbol: '', name: '' } },
	]);
	expect(new Set(of(contracts.items).map(({ hash }) => hash)).size).toBe(1);
});

test('the newest come first, for both sides of a transfer', async () => {
	const { chain } = sandbox();
	const [first, second] = await dollars.sendEach('Nelly', 'anna-k', ['1', '2']);
	const sent = await dollars.historyOf('Nelly');
	const received = await dollars.historyOf('anna-k');
	expect(sent.slice(0, 2).map(({ hash }) => hash)).toEqual([second?.hash, first?.hash]);
	expect(received.slice(0, 2)).toEqual(sent.slice(0, 2));
	const blocks = await Promise.all(sent.map(({ hash }) => chain.getTransactionReceipt(hash)));
	const numbers = blocks.map((receipt) => receipt?.blockNumber ?? -1);
	expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
});

test('a recipient who is not a user has the address and the network as names', async () => {
	const stranger = '0x000000000000000000000000000000000000dEaD';
	await sandbox().submit('Nelly', 'gold', 'transfer(address,uint256)', [stranger, '5']);
	const [entry] = await dollars.historyOf('Nelly');
	expect(entry?.to).toEqual({ username: stranger, platform: 'SANDBOX', address: stranger });
});

test('a transfer of a wallet to itself is one entry', async () => {
	const before = await dollars.historyOf('mika_dev');
	const args = [sandbox().user('mika_dev').address, '1'];
	const hash = await sandbox().submit('mika_dev', 'gold', 'transfer(address,uint256)', args);
	const after = await dollars.historyOf('mika_dev');
	expect(after).toHaveLength(before.length + 1);
	expect(after[0]?.hash).toBe(hash);
});

test('two identical transfers in one transaction are two entries', async () => {
	const { contracts, user } = sandbox();
	await sandbox().submit('Nelly', 'usd', 'approve(address,uint256)', [contracts.payouts, '1000']);
	const args = [contracts.usd, user('StormRider').address, '7'];
	const pay = 'payTwice(address,address,uint256)';
	const hash = await sandbox().submit('Nelly', 'payouts', pay, args);
	const [first, second] = await dollars.historyOf('StormRider');
	expect(first?.hash).toBe(hash);
	expect(second).toEqual(first);
});

test('only the newest entries are listed, up to the limit', async () => {
	const { contracts, user, chain } = sandbox();
	const recipients = Array.from({ length: LIMIT + 5 }, () => user('newcomer').address);
	const args = [contracts.usd, JSON.stringify(recipients), '1'];
	const pay = 'payEach(address,address[],uint256)';
	const hash = await sandbox().submit('Nelly', 'payouts', pay, args);
	expect((await chain.transaction(hash)).transfers).toHaveLength(LIMIT + 5);
	for (const name of ['newcomer', 'Nelly'] as const) {
		expect(await dollars.historyOf(name)).toHaveLength(LIMIT);
	}
});

test('pages of any size make the whole history, and the last one names no next', async () => {
	const { as, user } = sandbox();
	const path = userPath(user('Nelly'), '/history');
	for (const limit of [1, 3, LIMIT - 1]) {
		const pages = [];
		for (let query = `?limit=${limit}`; query !== ''; ) {
			const { data, headers } = await as('Nelly').get(path + query);
			pages.push(data);
			query = /^<(.*)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? '';
		}
		expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
		expect(pages.flat().slice(0, LIMIT)).toEqual(await dollars.historyOf('Nelly'));
		expect(pages.flat().length).toBeGreaterThan(LIMIT);
	}
});

test.each([
	['limit', '0'],
	['limit', '1001'],
	['limit', '-1'],
	['limit', '1e2'],
	['limit', ''],
	['before', ''],
	['before', '5'],
	['before', '1-2-x'],
	['before', '9999999999-0-0'],
])('%s=%s is refused by name', async (field, value) => {
	const { as, user } = sandbox();
	const query = `?${new URLSearchParams({ [field]: value })}`;
	const { status, data } = await as('Nelly').get(userPath(user('Nelly'), '/history') + query);
	expect({ status, data }).toMatchObject({ status: 400, data: { code: 'invalid_request', field } });
});
