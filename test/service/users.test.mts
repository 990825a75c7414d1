/** Users: access to their data, profiles and balances. */
import { formatUnits } from 'ethers';
import { asAnswer } from '../support/abi/random-abi.mts';
import { userPath, useService, type Username } from '../support/sandbox/service.mts';

const sandbox = useService();

const UNAUTHORIZED = { status: 'FAILED', error: expect.any(String), code: 'unauthorized' };

/** These requests are also wrong in other ways, but the token is checked first. */
const REQUESTS = [
	['GET', '/v1/users/nobody'],
	['GET', '/v1/users/nobody/balance'],
	['GET', '/v1/users/nobody/balance/0x12'],
	['GET', '/v1/users/nobody/history'],
	['GET', '/v1/nothing'],
	['POST', '/v1/contracts/method/read'],
	['POST', '/v1/contracts/method/write'],
] as const;

describe.each(REQUESTS)('%s %s', (method, url) => {
	test.each([
		['no header', {}],
		['an unknown token', { Authorization: 'Bearer nothing' }],
		['another scheme', { Authorization: 'Basic c2FuZGJveA==' }],
		['no token', { Authorization: 'Bearer ' }],
	])('with %s is a 401', async (_what, headers) => {
		const { status, data } = await sandbox().anonymous.request({
			method,
			url,
			headers: { ...headers, 'Content-Type': 'application/json' },
			data: method === 'POST' ? '{"broken' : undefined,
		});
		expect(status).toBe(401);
		expect(data).toEqual(UNAUTHORIZED);
	});
});

test('the name of the scheme may be in any letter case', async () => {
	const { anonymous, user } = sandbox();
	const nelly = user('Nelly');
	const headers = { Authorization: `bearer ${nelly.accessToken}` };
	expect((await anonymous.get(userPath(nelly), { headers })).status).toBe(200);
});

test('any token may read the data of other users', async () => {
	const { as, user } = sandbox();
	for (const resource of ['', '/balance', '/history']) {
		expect((await as('newcomer').get(userPath(user('Nelly'), resource))).status).toBe(200);
	}
});

test('health needs no token', async () => {
	const { status, data } = await sandbox().anonymous.get('/healthz');
	expect([status, data]).toEqual([200, { status: 'ok' }]);
});

test('a profile has exactly the five fields of the interface', async () => {
	const { as, user } = sandbox();
	const nelly = user('Nelly');
	const { status, data, headers } = await as('Nelly').get(userPath(nelly));
	expect(status).toBe(200);
	expect(headers['content-type']).toMatch(/^application\/json/);
	expect(data).toEqual({
		id: 'DISCORD-80351110224678912',
		provider: 'DISCORD',
		username: 'Nelly',
		address: nelly.address,
		imageSrc: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/avatars\/.+\.svg$/),
	});
});

test('every user is found by their percent-encoded ID, whatever it contains', async () => {
	const { ready, as } = sandbox();
	for (const user of ready.users) {
		const { data } = await as('Nelly').get(userPath(user));
		expect(data).toMatchObject({ id: user.id, address: user.address });
	}
	expect(ready.users.map(({ id }) => id)).toContain('CHESS-anna/k b%2F@é');
	expect(ready.users.map(({ provider }) => provider)).toEqual(
		expect.arrayContaining(['DISCORD', 'GOOGLE', 'TWITTER', 'EPIC_GAMES', 'CHESS']),
	);
});

test('the avatar is an image', async () => {
	const { as, user, anonymous } = sandbox();
	const { data } = await as('Nelly').get(userPath(user('anna-k')));
	const image = await anonymous.get(data.imageSrc);
	expect(image.headers['content-type']).toBe('image/svg+xml');
	expect(image.data).toMatch(/^<svg /);
});

test.each(['', '/balance', '/history'])('an unknown user is a 404 at %s', async (resource) => {
	const { status, data } = await sandbox().as('Nelly').get(`/v1/users/DISCORD-1${resource}`);
	expect(status).toBe(404);
	const error = 'There is no user DISCORD-1';
	expect(data).toEqual({ status: 'FAILED', error, code: 'unknown_user', field: 'userId' });
});

test.each(['DISCORD', '-1', 'discord-1', 'DISCORD-'])('%s is not a user ID: a 400', async (id) => {
	const data = { status: 'FAILED', code: 'invalid_request', field: 'userId' };
	expect(await sandbox().as('Nelly').get(`/v1/users/${id}`)).toMatchObject({ status: 400, data });
});

/** Requests a user's balance with Nelly's token. */
async function balanceOf(username: Username, token = '') {
	const { as, user } = sandbox();
	return await as('Nelly').get(userPath(user(username), `/balance${token && `/${token}`}`));
}

test.each([
	['Rahul Sen', 'native', 'ETH', 'Ether', 18],
	// The decimals of tokens are a string, unlike the native coin's.
	['Nelly', 'usd', 'SUSD', 'Sandbox Dollar', '6'],
	['Nelly', 'gold', 'SGLD', 'Sandbox Gold', '18'],
] as const)('for %s, the balance of %s is that on the chain', async (...row) => {
	const [username, coin, symbol, name, decimals] = row;
	const { user, chain, contracts } = sandbox();
	const { address } = user(username);
	const tokenAddress = coin === 'native' ? null : contracts[coin];
	const onChain = tokenAddress
		? await chain.tokenBalance(tokenAddress, address)
		: await chain.getBalance(address);
	const { status, data } = await balanceOf(username, tokenAddress ?? '');
	expect(status).toBe(200);
	expect(data).toEqual({
		[tokenAddress?.toLowerCase() ?? symbol]: {
			balance: onChain.toString(),
			balanceBn: asAnswer(onChain),
			formatted: formatUnits(onChain, Number(decimals)),
			decimals,
			symbol,
			name,
			tokenAddress,
			network: 'sandbox',
			chainId: 31337,
		},
	});
});

test('the token address is returned in the letter case of the caller', async () => {
	const { usd } = sandbox().contracts;
	const lower = usd.toLowerCase();
	for (const written of [lower, `0x${lower.slice(2).toUpperCase()}`, usd]) {
		const { data } = await balanceOf('Nelly', written);
		expect(data[lower].tokenAddress).toBe(written);
	}
});

test.each([
	['a wallet without tokens', 'newcomer', 'usd', { balance: '0', formatted: '0.0' }, '0x00'],
	['NFTs', 'StormRider', 'art', { balance: '1', decimals: '0', symbol: 'SART' }, '0x01'],
] as const)('%s: how many', async (_what, username, token, balance, hex) => {
	const { data } = await balanceOf(username, sandbox().contracts[token]);
	expect(Object.values(data)).toMatchObject([{ ...balance, balanceBn: { hex } }]);
});

const usd = () => sandbox().contracts.usd;
const misspelt = (address: string) =>
	`0x${address.slice(2).replace(/[a-f]/, (letter) => letter.toUpperCase())}`;

test.each<[what: string, address: () => string, status: number, code: string]>([
	['of items', () => sandbox().contracts.items, 404, 'unknown_token'],
	['of payouts', () => sandbox().contracts.payouts, 404, 'unknown_token'],
	['without a contract', () => sandbox().user().address, 404, 'unknown_token'],
	['that is too short', () => usd().slice(0, -1), 400, 'invalid_request'],
	['that is not hexadecimal', () => `${usd().slice(0, -1)}g`, 400, 'invalid_request'],
	['without 0x', () => usd().slice(2), 400, 'invalid_request'],
	['with a wrong checksum', () => misspelt(usd()), 400, 'invalid_request'],
])('a token address %s has no balances, and is named', async (...row) => {
	const [, address, status, code] = row;
	const data = { code, field: 'tokenAddress' };
	expect(await balanceOf('Nelly', address())).toMatchObject({ status, data });
});
