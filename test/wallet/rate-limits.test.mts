/** Limits for the number of requests: of a token, of an address, and of requests without a valid token. */
import axios from 'axios';
import { inTests, useResources } from '../support/resources.mts';
import { install } from './support/network-and-service.mts';
import { pay, payloadOf } from './support/payment.mts';
import { changeSettings } from './support/settings.mts';

const LIMIT = 40;
const FAILURES = 60;

const resources = useResources();
const started = inTests(beforeAll, async () => {
	const { service, payers } = await install(resources, 'sqlite', { payers: 2 });
	await changeSettings(service, { requestsPerMinute: LIMIT, proxies: ['127.0.0.1'] });
	await resources.use(service.start());
	return {
		service,
		payers,
		/** Sends a request through a proxy. */
		async ask(token: string, from: string, path = '/v1/users/LOCAL-0') {
			const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from };
			return await axios.get(service.url + path, { headers, validateStatus: () => true });
		},
	};
});

const statuses = async (count: number, ask: () => Promise<{ status: number }>) => {
	const answers = await Promise.all(Array.from({ length: count }, ask));
	return Object.groupBy(answers, ({ status }) => String(status));
};

test('requests above the limit of a token are refused in the form of every error, and say when to repeat', async () => {
	const { ask, payers } = started();
	const [first, second] = payers;
	if (!first || !second) throw new Error('There are no users');
	const found = await statuses(LIMIT + 5, () => ask(first.token, '192.0.2.1'));
	expect([found['200']?.length, found['429']?.length]).toEqual([LIMIT, 5]);
	const { headers, data } = await ask(first.token, '192.0.2.2');
	expect(Number(headers['retry-after'])).toBeGreaterThan(0);
	expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
	const error = expect.stringMatching(/^Too many requests with this access token; try again in/);
	expect(data).toEqual({ status: 'FAILED', error, code: 'too_many_requests' });
	expect((await ask(second.token, '192.0.2.1')).status).toBe(200);
	// Nothing is signed.
	const { service } = started();
	expect(await pay(service.url, first, 'order', payloadOf(1), 10_000)).toMatchObject({ code: 429 });
	expect(await service.run('status')).toMatch(/0 in no block, 0 not final/);
});

test('wrong tokens are refused after some tries; valid ones remain usable at the same address', async () => {
	const { ask, payers } = started();
	const found = await statuses(FAILURES + 5, () => ask('wrong', '192.0.2.3'));
	expect([found['401']?.length, found['429']?.length]).toEqual([FAILURES, 5]);
	expect((await ask('wrong', '192.0.2.4')).status).toBe(401);
	expect((await ask(payers[1]?.token ?? '', '192.0.2.3')).status).toBe(200);
});

test('an address is limited before its tokens are looked at, also where no token is needed', async () => {
	const { ask } = started();
	const found = await statuses(4 * LIMIT + 5, () => ask('', '192.0.2.5', '/healthz'));
	expect([found['200']?.length, found['429']?.length]).toEqual([4 * LIMIT, 5]);
	expect((await ask('', '192.0.2.6', '/healthz')).status).toBe(200);
});
