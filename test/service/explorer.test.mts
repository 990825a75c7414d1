import { userPath, useSandbox } from './support/sandbox.mts';

const sandbox = useSandbox();

/** Opens a page as a browser does, without a token. */
async function open(url: string): Promise<string> {
	const { status, headers, data } = await sandbox().anonymous.get(url);
	expect(status).toBe(200);
	expect(headers['content-type']).toMatch(/^text\/html/);
	return data;
}

test('the links of every answer lead to a page about the thing they stand for', async () => {
	const { as, user, contracts } = sandbox();
	const nelly = as('Nelly');
	const address = contracts.shapes;
	const read = { address, abi: 'stored() view returns (uint256)' };
	const write = { address, abi: 'store(uint256)', args: ['1'] };

	const { data: reading } = await nelly.post('/v1/contracts/method/read', read);
	expect(await open(reading.explorerUrl)).toContain(address);

	const { data: written } = await nelly.post('/v1/contracts/method/write', write);
	const page = await open(written.explorerUrl);
	expect(page).toContain(written.hash);
	expect(page).toContain('succeeded in block');
	expect(page).toContain(user('Nelly').address);

	const { data: history } = await nelly.get(userPath(user('Nelly'), '/history'));
	expect(await open(history[0].explorerUrl)).toContain(history[0].hash);
});

test('the start page lists the users with links to their wallets', async () => {
	const { running, user } = sandbox();
	const page = await open(running.ready.explorerUrl);
	expect(page).toContain(`${running.ready.explorerUrl}/address/${user('anna-k').address}`);
	expect(page).toContain('CHESS-anna/k b%2F@é');
});

test('what is not on the chain is a 404, what is no hash a 400', async () => {
	const { anonymous } = sandbox();
	const unknown = await anonymous.get(`/explorer/tx/0x${'1'.repeat(64)}`);
	expect([unknown.status, unknown.data.code]).toEqual([404, 'unknown_transaction']);
	const malformed = await anonymous.get('/explorer/tx/0x12');
	expect([malformed.status, malformed.data.field]).toEqual([400, 'hash']);
});
