/** Requests that reach no route, because their URL, headers or form cannot be read: they are refused in the form of every error. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { useService } from '../support/sandbox/service.mts';
import { until } from '../support/until.mts';

const sandbox = useService({ SANDBOX_WRITE_KEYS: '1', SANDBOX_FAULTS: '0' });

const LONG = 'x'.repeat(1_001);
const HUGE = 'x'.repeat(20_000);

/** Sends text as it is. @returns everything that the service answers until it ends the connection */
async function exchange(request: string): Promise<string> {
	const { hostname, port } = new URL(sandbox().ready.baseUrl);
	const socket = connect(Number(port), hostname);
	await once(socket, 'connect');
	socket.write(request);
	return await text(socket);
}

/** The lines of a request, with the token of a user. */
function lines(first: string, ...more: string[]): string {
	const { accessToken } = sandbox().user();
	const headers = [`Authorization: Bearer ${accessToken}`, 'Connection: close', ...more];
	return [first, 'Host: localhost', ...headers, '', ''].join('\r\n');
}

const read = (url: string) => () => lines(`GET ${url} HTTP/1.1`);
const write = (body: string, ...headers: string[]) => {
	const length = `Content-Length: ${body.length}`;
	return () => lines('POST /v1/contracts/method/write HTTP/1.1', length, ...headers) + body;
};
const json = 'Content-Type: application/json';

test.each<[what: string, request: () => string, status: number]>([
	['a key that is not percent-encoded', read('/v1/writes/%'), 400],
	['half a percent-encoding', read('/v1/users/LOCAL-%4'), 400],
	['a percent-encoding of other letters', read('/v1/users/%zz'), 400],
	['bytes that are not UTF-8', read('/v1/users/LOCAL-%ff'), 400],
	['an overlong encoding of a slash', read('/v1/transactions/%c0%af'), 400],
	['a wrong encoding where there is nothing', read('/%e0%a4%a'), 400],
	['a wrong encoding below a page', read('/explorer/tx/%'), 400],
	['a key that is too long', read(`/v1/writes/${LONG}`), 414],
	['a user ID that is too long', read(`/v1/users/${LONG}/history`), 414],
	['an unknown path that is too long', read(`/${LONG}`), 404],
	['headers that are too long', () => lines('GET /v1/service HTTP/1.1', `X-Long: ${HUGE}`), 431],
	['a URL that is too long', read(`/v1/users/${HUGE}`), 431],
	['a header without a name', () => lines('GET /v1/service HTTP/1.1', ': value'), 400],
	['a method that does not exist', () => lines('PAY /v1/service HTTP/1.1'), 400],
	['a method that is not supported', () => lines('PROPFIND /v1/service HTTP/1.1'), 404],
	['a method that the path lacks', () => lines('PATCH /v1/writes/1 HTTP/1.1'), 404],
	['a tunnel', () => lines('CONNECT localhost:80 HTTP/1.1'), 405],
	['a version of HTTP that does not exist', () => lines('GET / HTTP/9.9'), 400],
	['no HTTP at all', () => 'hello\r\n\r\n', 400],
	['no host', () => 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 421],
	['an unknown expectation', () => lines('GET /nothing HTTP/1.1', 'Expect: wonders'), 404],
	['a body of another type', write('{}', 'Content-Type: text/xml'), 415],
	['a body that is a text', write('{}', 'Content-Type: text/plain'), 415],
	['a type that is none', write('{}', 'Content-Type: json'), 415],
	['a body without a type', write('{}'), 415],
	['a body that is not JSON', write('{"address":', json), 400],
	['no body', write('', json), 400],
	['a name that changes all objects', write('{"__proto__":{}}', json), 400],
	[
		'a body that is too long',
		() => lines('PUT /v1/writes/1 HTTP/1.1', json, 'Content-Length: 9999999'),
		413,
	],
	[
		'a length and chunks',
		() =>
			lines('PUT /v1/writes/1 HTTP/1.1', json, 'Content-Length: 2', 'Transfer-Encoding: chunked'),
		400,
	],
	[
		'a chunk without a length',
		() => `${lines('PUT /v1/writes/1 HTTP/1.1', json, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n`,
		400,
	],
])('%s: refused in the form of every error', async (_what, request, status) => {
	const answer = await exchange(request());
	const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
	expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
	expect(head).toMatch(/^content-type: application\/json/im);
	expect(JSON.parse(body)).toMatchObject({
		status: 'FAILED',
		error: expect.stringMatching(/./),
		code: expect.stringMatching(/^(invalid_request|request_refused|unknown_route)$/),
	});
});

test('a request that cannot be read is not answered while an earlier one of its connection is', async () => {
	const call = { address: sandbox().contracts.shapes, abi: 'store(uint256)', args: ['7'] };
	const body = JSON.stringify(call);
	const answer = await exchange(`${write(body, json)()}hello\r\n\r\n`);
	// Otherwise the refusal would be read as that of the write, which takes place.
	expect(answer).not.toMatch(/^HTTP\/1.1 400/);
	await until(async () => {
		const { data } = await sandbox().read('Nelly', 'shapes', 'stored() view returns (uint256)');
		return data.response.hex === '0x07';
	});
});
