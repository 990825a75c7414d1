/** The hosts under which the service answers: a web page whose name leads to this machine must not reach it. */
import { userPath, useService } from '../support/sandbox/service.mts';

const sandbox = useService();

const PATHS = [
	'/healthz',
	'/openapi.json',
	'/explorer',
	'/oauth/.well-known/openid-configuration',
	'/faults/requests',
	'/v1/nothing',
];

async function statusOf(host: string, path: string): Promise<number> {
	return (
		await sandbox()
			.as('Nelly')
			.get(path, { headers: { Host: host } })
	).status;
}

test.each(['127.0.0.1', '127.0.0.1:4010', 'localhost:80', 'LocalHost', '[::1]:4010'])(
	'%s is this machine',
	async (host) => {
		expect(await statusOf(host, userPath(sandbox().user()))).toBe(200);
	},
);

test.each([
	'rebound.example',
	'rebound.example:4010',
	'127.0.0.1.rebound.example',
	'localhost.rebound.example',
	'rebound.example:4010@localhost',
	'localhost:4010.rebound.example',
	'0.0.0.0:4010',
])('"%s" is not, whatever is requested', async (host) => {
	const paths = [...PATHS, userPath(sandbox().user())];
	const answers = await Promise.all(paths.map(async (path) => await statusOf(host, path)));
	expect(answers).toEqual(paths.map(() => 421));
});

test('the refusal has the form of every error', async () => {
	const { as, user } = sandbox();
	const headers = { Host: 'rebound.example' };
	const { data } = await as('Nelly').get(userPath(user()), { headers });
	const error = 'This service is not rebound.example';
	expect(data).toEqual({ status: 'FAILED', error, code: 'request_refused', field: 'Host' });
});
