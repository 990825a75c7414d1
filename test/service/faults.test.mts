import axios from 'axios';
import type { FaultKind, FaultParameters } from '../../sandbox/src/faults/fault.mts';
import { WRITE } from '../support/sandbox/faults.mts';
import { userPath, useService } from '../support/sandbox/service.mts';

const sandbox = useService();

/** Sends a write; returns the answer as text, or the code of the connection error. */
async function write(timeout = 0) {
	const { as, contracts } = sandbox();
	const body = { address: contracts.shapes, abi: 'mark(uint256)', args: ['1'] };
	const options = { timeout, responseType: 'text' as const, transformResponse: String };
	return await as('Nelly')
		.post(WRITE, body, options)
		.catch((error: unknown) => {
			if (!axios.isAxiosError(error)) throw error;
			return { status: 0, headers: {}, data: error.code ?? error.message };
		});
}

function sentByNelly(): Promise<number> {
	const { chain, user } = sandbox();
	return chain.getTransactionCount(user('Nelly').address);
}

beforeEach(async () => {
	await sandbox().faults.reset();
});

const params: FaultParameters = {};
const at = 'Wed, 21 Oct 2026 07:28:00 GMT';

type Fault = [kind: FaultKind, params: FaultParameters];

test.each<[...Fault, sent: 0 | 1, status: number, body: RegExp]>([
	// In place of the work.
	['rate-limit', params, 0, 429, /^Too Many Requests$/],
	['status-text', params, 0, 500, /^Internal Server Error$/],
	['status-text', { status: 503, body: 'Unavailable' }, 0, 503, /^Unavailable$/],
	['html', params, 0, 200, /^<!doctype html>/],
	['html', { headers: { 'content-type': 'application/json' } }, 0, 200, /^<!doctype html>/],
	['null', params, 0, 200, /^null$/],
	['wrong-shape', params, 0, 200, /^{"unexpected":\["shape"\]}$/],
	['failed', { error: 'No gas yet' }, 0, 200, /^{"status":"FAILED","error":"No gas yet"}$/],
	['drop-before', params, 0, 0, /^ECONNRESET$/],
	['redirect', { location: 'http://127.0.0.1:1/' }, 0, 307, /^$/],
	['echo-authorization', params, 0, 400, /Bearer sandbox-token-discord-80351110224678912/],
	['empty', { status: 204 }, 0, 204, /^$/],
	['large', { bytes: 500_000 }, 0, 200, /^{"status":"SUCCESS".{100,}"}$/],
	['broken-json', params, 0, 200, /"response":}$/],
	['big-integer', params, 0, 200, /:123456789012345678901234567890}$/],
	['hang', params, 0, 0, /^ECONNABORTED$/],
	// After the work.
	['latency', { ms: 50 }, 1, 200, /^{"status":"SUCCESS".*}$/],
	['drop-after', params, 1, 0, /^ECONNRESET$/],
	['truncated-json', params, 1, 200, /^{"status":"SUCCESS".*[^}]$/],
	['truncated-json', { closeEarly: true }, 1, 0, /^ERR_BAD_RESPONSE|ECONNRESET$/],
	['slow-drip', { bytes: 200, ms: 5 }, 1, 200, /^{"status":"SUCCESS".*}$/],
	['status-text', { afterWork: true, status: 502 }, 1, 502, /^Internal Server Error$/],
	['html', { afterWork: true }, 1, 200, /^<!doctype html>/],
	['null', { afterWork: true }, 1, 200, /^null$/],
	['hang', { afterWork: true }, 1, 0, /^ECONNABORTED$/],
])('%s with %j hits one write, which sends %d', async (kind, params, sent, status, body) => {
	const before = await sentByNelly();
	await sandbox().faults.add({ kind, params, times: 1 });
	const answer = await write(kind === 'hang' ? 4000 : 0);
	expect(answer.status).toBe(status);
	expect(answer.data).toMatch(body);
	expect(await sentByNelly()).toBe(before + sent);
	expect((await write()).data).toMatch(/^{"status":"SUCCESS"/);
	expect(await sentByNelly()).toBe(before + sent + 1);
	expect((await sandbox().faults.requests()).map(({ fault }) => fault)).toEqual([kind, null]);
});

test('a fault hits the requests that it matches, as often as it states, after those it skips', async () => {
	const { as, user, faults } = sandbox();
	const statuses = async (resource: string, times: number) => {
		const answers = [];
		const path = userPath(user('Nelly'), resource);
		for (let n = 0; n < times; n++) answers.push((await as('Nelly').get(path)).status);
		return answers;
	};
	const match = { method: 'get', path: '/v1/users/[^/]+/balance' };
	await faults.add({ kind: 'status-text', match, skip: 1, times: 2 });
	expect(await statuses('', 2)).toEqual([200, 200]);
	expect(await statuses('/balance', 4)).toEqual([200, 500, 500, 200]);
	await faults.add({ kind: 'rate-limit', match, times: null });
	expect(await statuses('/balance', 3)).toEqual([429, 429, 429]);
	await faults.clear();
	expect(await statuses('/balance', 1)).toEqual([200]);
});

test('the log lists the requests and never the token', async () => {
	await write();
	await sandbox().anonymous.get('/v1/users/DISCORD-1');
	const log = await sandbox().faults.requests();
	expect(log).toEqual([
		{
			method: 'POST',
			path: WRITE,
			time: expect.stringMatching(/Z$/),
			bodyDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
			authorization: true,
			fault: null,
		},
		expect.objectContaining({ method: 'GET', path: '/v1/users/DISCORD-1', authorization: false }),
	]);
	expect(JSON.stringify(log)).not.toContain('sandbox-token');
});

test('the maximum number of simultaneous requests is recorded', async () => {
	const { as, user, anonymous } = sandbox();
	await sandbox().faults.add({ kind: 'latency', params: { ms: 200 }, times: 7 });
	const paths = Array.from({ length: 7 }, () => userPath(user('Nelly')));
	await Promise.all(paths.map((path) => as('Nelly').get(path)));
	expect((await anonymous.get('/faults/in-flight')).data).toEqual({ now: 0, max: 7 });
});

test.each([
	{ kind: 'nothing' },
	{},
	{ kind: 'html', times: 0 },
	{ kind: 'html', match: { path: '(' } },
])('%j is not a fault', async (fault) => {
	expect((await sandbox().anonymous.post('/faults', fault)).status).toBe(400);
});

test.each<[...Fault, headers: object]>([
	['rate-limit', { retryAfter: '3' }, { 'retry-after': '3' }],
	['rate-limit', { retryAfter: at }, { 'retry-after': at }],
	['wrong-shape', params, { 'content-type': expect.stringMatching(/^application\/json/) }],
])('%s with %j has its own headers', async (kind, given, headers) => {
	await sandbox().faults.add({ kind, params: given, times: 1 });
	expect((await write()).headers).toMatchObject(headers);
});
