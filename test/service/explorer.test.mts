import { userPath, useService } from '../support/sandbox/service.mts';

const sandbox = useService();

/** Opens a page as a browser does, without a token. */
async function open(url: string): Promise<string> {
	const { status, headers, data } = await sandbox().anonymous.get(url);
	expect(status).toBe(200);
	expect(headers['content-type']).toMatch(/^text\/html/);
	return data;
}

test('the links in every answer lead to a page about their subject', async () => {
	const { as, user, contracts } = sandbox();
	const read = await sandbox().read('Nelly', 'shapes', 'stored() view returns (uint256)');
	expect(await open(read.data.explorerUrl)).toContain(contracts.shapes);

	const { data: written } = await sandbox().write('Nelly', 'shapes', 'store(uint256)', ['1']);
	const page = await open(written.explorerUrl);
	expect(page).toContain(written.hash);
	expect(page).toContain('succeeded in block');
	expect(page).toContain(user('Nelly').address);

	const { data: history } = await as('Nelly').get(userPath(user('Nelly'), '/history'));
	expect(await open(history[0].explorerUrl)).toContain(history[0].hash);
});

/** The labels and values in a page's table. */
function cells(page: string): string[][] {
	const rows = page.matchAll(/<tr><th scope="row">(.*?)<\/th><td>(.*?)<\/td><\/tr>/g);
	return [...rows].map(([, label = '', value = '']) => [label, value.replace(/<[^>]*>/g, '')]);
}

test('a token transfer is described, with its token and its recipient, but not who they are', async () => {
	const { user, contracts } = sandbox();
	const args = [user('Rahul Sen').address, '12500000'];
	const { data } = await sandbox().write('Nelly', 'usd', 'transfer(address,uint256)', args);
	const shown = cells(await open(data.explorerUrl));
	expect(shown.slice(2, -2)).toEqual([
		['Transfer', `12.5 SUSD from ${user('Nelly').address} to ${user('Rahul Sen').address}`],
		['Token', `Sandbox Dollar, ${contracts.usd}`],
		['Recipient', user('Rahul Sen').address],
		['Sent by', user('Nelly').address],
		['Called contract', contracts.usd],
	]);
});

test('NFTs, and several transfers of one transaction, are described one by one', async () => {
	const { user } = sandbox();
	const [anna, mika] = [user('anna-k').address, user('mika_dev').address];
	const abi = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)';
	const args = [anna, mika, '["7","8"]', '["2","1"]', '0x'];
	const { data: batch } = await sandbox().write('anna-k', 'items', abi, args);
	const piece = [mika, '77'];
	const { data: minted } = await sandbox().write('Nelly', 'art', 'mint(address,uint256)', piece);
	const sentences = async (url: string) =>
		cells(await open(url)).flatMap(([label, value]) => (label === 'Transfer' ? [value] : []));
	expect(await sentences(batch.explorerUrl)).toEqual([
		`2 of an ERC-1155 token from ${anna} to ${mika}`,
		`1 of an ERC-1155 token from ${anna} to ${mika}`,
	]);
	expect(await sentences(minted.explorerUrl)).toEqual([
		`1 SART from nobody (new tokens) to ${mika}`,
	]);
});

test('the start page lists the users with links to their wallets', async () => {
	const { ready, user } = sandbox();
	const page = await open(ready.explorerUrl);
	expect(page).toContain(`${ready.explorerUrl}/address/${user('anna-k').address}`);
	expect(page).toContain('CHESS-anna/k b%2F@é');
});

test('an unknown transaction is a 404, an invalid hash a 400', async () => {
	const { anonymous } = sandbox();
	const unknown = await anonymous.get(`/explorer/tx/0x${'1'.repeat(64)}`);
	expect([unknown.status, unknown.data.code]).toEqual([404, 'unknown_transaction']);
	const malformed = await anonymous.get('/explorer/tx/0x12');
	expect([malformed.status, malformed.data.field]).toEqual([400, 'hash']);
});
