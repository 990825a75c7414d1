/** Errors quote the service's own sentence, or name what answered in its place, wherever n8n shows them. */
import { once } from 'node:events';
import { createServer } from 'node:http2';
import { createServer as createTcpServer } from 'node:net';
import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { ScriptedAnswer } from './support/answers.mts';
import { hashOf, json } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { useCredentialTester } from './support/credential-tester.mts';
import { useForm } from './support/form.mts';
import { CONTRACT } from './support/scripted-world.mts';
import { failureOf, useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);
const tester = useCredentialTester();
const form = useForm();
const options = { maxTries: 1 };
const READ = { resource: 'user', operation: 'get', options };
const WRITE = storeCall(CONTRACT, { options });

interface Shown {
	readonly message: string;
	readonly description?: string | undefined;
	readonly context?: object | undefined;
}

async function shown(parameters: IDataObject, credential = node.service.credential()) {
	const { message, description, context } = (await node.run(parameters, { credential }))
		.error as NodeApiError;
	return { message, context, description: description ?? undefined };
}

/** The error in every context in which n8n runs the package. */
const CONTEXTS: Record<string, () => Promise<Shown>> = {
	'a read': async () => await shown(READ),
	'a write': async () => await shown(WRITE),
	'a poll': async () =>
		await failureOf(
			poller(
				{ event: 'balanceChanged', asset: 'native', userIds: 'DISCORD-1' },
				{ activation: 'activate' },
			).poll(),
		),
	'a list of the form': async () => {
		const credentials = { walletServiceApi: { ...node.service.credential() } };
		const parameters = { resource: 'balance', operation: 'token' };
		return await failureOf(form.search('getTokens', { parameters, credentials }));
	},
	'the test of a credential': async () => await tester.test({ ...node.service.credential() }),
};

const SAID = 'Recipient is on the sanctions list';

describe.each(Object.entries(CONTEXTS))('%s', (name, show) => {
	const isTest = name.startsWith('the test');

	test("quotes the service's own sentence", async () => {
		node.service.script = ({ authorization }) =>
			json({ statusCode: 400, message: [SAID], error: 'Bad Request' }, authorization ? 400 : 401);
		expect((await show()).message).toContain(SAID);
	});

	test.each([
		`<Error><Code>E17</Code><Message>${SAID}</Message></Error>`,
		`<e:a xmlns:e="urn:x"><e:fault><faultstring>${SAID}</faultstring><detail/></e:fault></e:a>`,
	])('quotes it from XML, without markup: %s', async (body) => {
		node.service.script = ({ authorization }) => ({ status: authorization ? 400 : 401, body });
		const { message, description = '' } = await show();
		expect(message).toContain(SAID);
		expect(`${message} ${description}`).not.toMatch(/[<>‹›]|before the service/);
	});

	const page = '<html><head><title>403 Forbidden</title></head></html>';

	test.each<[answer: ScriptedAnswer, sender: string]>([
		[{ status: 403, body: page, headers: { server: 'nginx/1.27.0' } }, 'nginx, status 403'],
		[{ status: 403, headers: { server: 'AkamaiGHost' } }, 'AkamaiGHost, status 403'],
		[{ status: 403 }, 'status 403'],
		[{ status: 401, body: page }, 'status 401'],
		[{ status: 401, body: '<title>Sign in to Corp</title>' }, 'Sign in to Corp, status 401'],
		[{ status: 404, body: page, headers: { server: 'awselb/2.0' } }, 'awselb, status 404'],
		[{ status: 407, headers: { via: '1.1 a, 1.1 b.corp (squid/6.6)' } }, 'squid, status 407'],
		[{ status: 502, headers: { via: '1.1 varnish' } }, 'varnish, status 502'],
		[{ status: 502, body: 'Bad Gateway' }, 'status 502'],
		[{ status: 503, body: page, headers: { server: 'HAProxy (x) y' } }, 'HAProxy, status 503'],
		[{ status: 504, body: 'Gateway Time-out\n' }, 'status 504'],
		[
			{ status: 403, body: 'error code: 1020', headers: { server: 'cloudflare' } },
			'cloudflare, status 403',
		],
		[{ status: 504, body: 'error code: 504' }, 'status 504'],
		[
			{ status: 522, body: 'error code: 522', headers: { server: 'cloudflare' } },
			'cloudflare, status 522',
		],
	])('names what answered %j', async (answer, sender) => {
		node.service.script = () => answer;
		const { message, description = '', context } = await show();
		expect(message).toContain(`Something before the service answered (${sender})`);
		expect(`${message} ${description}`).not.toMatch(
			/token (?:was|does)|parameters|credential of the/,
		);
		const { status = 0 } = answer;
		if (!isTest) expect(context).toMatchObject({ details: { httpStatus: status } });
		const outcome = status < 500 ? 'refused' : 'unknown';
		if (name === 'a write') expect(context).toMatchObject({ details: { outcome } });
	});
});

test.each<[answer: ScriptedAnswer, message: string]>([
	[{ status: 403, body: 'Forbidden' }, 'The access token does not allow this'],
	[{ status: 401 }, 'The access token was rejected'],
	[{ status: 401, body: 'Unauthorized' }, 'The access token was rejected'],
	[json({}, 403), 'The access token does not allow this'],
	[json({ error: 'Bad Gateway' }, 502), 'The service had an internal error'],
	[{ status: 503, body: 'Down for an hour' }, 'Down for an hour'],
	[{ status: 503, body: 'Service Unavailable' }, 'The service had an internal error'],
	[{ status: 500, body: 'Internal Server Error' }, 'The service had an internal error'],
	[{ body: '<title>Sign in to Corp</title>' }, 'a web page instead of JSON (Sign in to Corp)'],
])('an answer of the service remains its own: %j', async (answer, message) => {
	node.service.script = () => answer;
	expect((await shown(READ)).message).toContain(message);
});

test('a limit of requests remains one, whoever has it', async () => {
	node.service.script = () => ({ status: 429, body: '<p>Slow down</p>' });
	const { message, description, context } = await shown(READ);
	expect(message).toBe('Something before the service answered (status 429)');
	expect(description).toMatch(/^Set a low Concurrency/);
	expect(context).toMatchObject({ details: { code: 'rate-limited' } });
});

test('the name of a sender is cleaned, bounded, and without the access token', async () => {
	const { accessToken } = node.service.credential();
	const title = `a\u202eb (0x12) ${accessToken} ${'c'.repeat(5000)}`;
	node.service.script = () => ({ status: 403, body: `<title>${title}</title>` });
	const { message } = await shown(READ);
	expect(message).toMatch(/^Something before the service answered \("ab .{1,80}", status 403\)$/);
	expect(message).not.toContain(accessToken);
	node.service.script = () => ({ status: 403, headers: { server: `x ${accessToken}` } });
	expect((await shown(READ)).message).not.toContain(accessToken);
});

test('an unknown hash in the page of a gateway is not lost', async () => {
	node.service.script = () => ({ status: 502, body: `<p>${hashOf(7)}` });
	const { message, context } = await shown(WRITE);
	expect(message).toContain(hashOf(7));
	expect(context).toMatchObject({ details: { outcome: 'unknown', hashes: [hashOf(7)] } });
});

describe('a service that accepts only HTTP/2', () => {
	const listening = async (answer: string) => {
		const server = createTcpServer((socket) => {
			socket.on('error', () => undefined);
			socket.end(Buffer.from(answer, 'latin1'));
		});
		await once(server.listen(0, '127.0.0.1'), 'listening');
		return server;
	};

	test.each<[name: string, message: RegExp]>([
		['its own preface', /accepts only HTTP\/2, n8n only HTTP\/1\.1/],
		['SSH-2.0-OpenSSH_9.6\r\n', /its answer is not HTTP\b/],
	])('%j', async (answer, message) => {
		const http2 = createServer();
		await once(http2.listen(0, '127.0.0.1'), 'listening');
		const other = await listening(answer);
		const address = (answer.startsWith('SSH') ? other : http2).address();
		const port = typeof address === 'object' ? address?.port : 0;
		const credential = node.service.credential({ baseUrl: `http://127.0.0.1:${port}` });
		for (const parameters of [READ, WRITE]) {
			expect((await shown(parameters, credential)).message).toMatch(message);
		}
		// The service cannot even be asked whether it keeps writes.
		const { context } = await shown({ ...WRITE, args: '["9"]' }, credential);
		expect(context).toMatchObject({ details: { outcome: 'refused' } });
		http2.close();
		other.close();
	});

	test('and answers so in text', async () => {
		const body =
			'Missing ALPN Protocol, expected `h2` to be available.\nIf this is a HTTP request: ...';
		node.service.script = () => ({ status: 403, body });
		const { message, context } = await shown(WRITE);
		expect(message).toContain('accepts only HTTP/2');
		expect(context).toMatchObject({ details: { outcome: 'refused' } });
	});
});
