import { userPath, useService } from '../support/sandbox/service.mts';
import { callsOf } from './support/calls.mts';

const sandbox = useService();

const UNAUTHORIZED = { status: 'FAILED', error: expect.any(String), code: 'unauthorized' };

/** These requests are also wrong in other ways: the token is checked first. */
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

test('the name of the scheme may be of any letter case', async () => {
	const { anonymous, user } = sandbox();
	const nelly = user('Nelly');
	const headers = { Authorization: `bearer ${nelly.accessToken}` };
	expect((await anonymous.get(userPath(nelly), { headers })).status).toBe(200);
});

test('any token may read what belongs to others', async () => {
	const { as, user } = sandbox();
	for (const resource of ['', '/balance', '/history']) {
		expect((await as('newcomer').get(userPath(user('Nelly'), resource))).status).toBe(200);
	}
});

test('a write acts for the wallet of the token, and for no other', async () => {
	for (const username of ['Nelly', 'anna-k'] as const) {
		const { data } = await callsOf(sandbox).write(username, 'shapes', 'store(uint256)', ['1']);
		expect(data.tx.from).toBe(sandbox().user(username).address);
	}
});

test('health, the OpenAPI document and the explorer need no token', async () => {
	const { anonymous, chain } = sandbox();
	const health = await anonymous.get('/healthz');
	expect(health.data).toEqual({ status: 'ok', blockNumber: await chain.getBlockNumber() });
	expect((await anonymous.get('/openapi.json')).status).toBe(200);
	expect((await anonymous.get('/explorer')).status).toBe(200);
});
