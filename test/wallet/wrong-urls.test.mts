/** URLs that are not those of an endpoint of the chain: each kind has its sentence, and none names the access key. */
import type { ServerResponse } from 'node:http';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { startLocalServer } from '../../tools/network/local-server.mts';
import { startNetwork } from '../../tools/wallet/network.mts';
import { inTests, useResources } from '../support/resources.mts';
import { emptyHome, run } from './support/command-line.mts';

const KEY = 'secret-key-1';
const resources = useResources();
const network = inTests(beforeAll, async () => await resources.use(startNetwork(0)));

type Answer = (response: ServerResponse) => void;

const answering =
	(status: number, body: string | object): Answer =>
	(response) => {
		const text = typeof body === 'string' ? body : JSON.stringify({ id: 1, ...body });
		response.writeHead(status, { location: '/other' }).end(text);
	};
const refusing = (message: string) => ({ error: { code: -32000, message } });

test.each<[what: string, answer: Answer, sentence: string]>([
	['a page for people', answering(200, '<html>'), 'does not speak JSON-RPC at its URL'],
	['another service', answering(200, { ok: true }), 'does not speak JSON-RPC at its URL'],
	['a list of nothing', answering(200, '[]'), 'does not speak JSON-RPC at its URL'],
	['null', answering(200, 'null'), 'does not speak JSON-RPC at its URL'],
	['a wrong path', answering(404, 'Not found'), 'has nothing at the path of its URL'],
	['a refused key', answering(401, `no ${KEY}`), 'refuses the access key in its URL'],
	['a refused key, in JSON', answering(401, refusing(KEY)), 'refuses the access key in its URL'],
	['a key without rights', answering(403, '<html>'), 'refuses the access key in its URL'],
	['a key in words', answering(200, refusing(`Bad API key`)), 'refuses the access key in its URL'],
	['a used up key', answering(429, 'later'), 'has reached the limit of its access key'],
	['another address', answering(301, ''), 'refers to another address: use that one as its URL'],
	['a broken server', answering(500, 'oops'), 'does not speak JSON-RPC at its URL'],
	['no chain', answering(200, { result: '0x1' }), 'does not show the first block of its chain'],
])('%s has its sentence', async (_what, answer, sentence) => {
	await using server = await startLocalServer((_request, response) => answer(response));
	const { host } = new URL(server.url);
	const failure: unknown = await Endpoints.connect([`${server.url}/v2/${KEY}`], {
		limitMs: 1_000,
	}).catch((error: unknown) => error);
	expect(String(failure)).toContain(`${host} ${sentence}`);
	expect(String(failure)).not.toContain(KEY);
});

test('an endpoint that does not answer, and a host that does not exist, have theirs', async () => {
	await using server = await startLocalServer(() => undefined);
	const urls = [server.url, 'http://nowhere.invalid', 'http://127.0.0.1:1', 'http://[::1]:1'];
	const connecting = Endpoints.connect(urls, { limitMs: 300 });
	await expect(connecting).rejects.toThrow(
		`No chain answers at 127.0.0.1:1, [::1]:1; ${new URL(server.url).host} does not answer in time; nowhere.invalid is not a known host`,
	);
});

test('init and the start print the sentence, also about one of two endpoints', async () => {
	const { env } = await emptyHome(resources);
	await using server = await startLocalServer((_request, response) => {
		response.writeHead(401).end();
	});
	const wrong = `${server.url}/${KEY}`;
	const line = `${new URL(server.url).host} refuses the access key in its URL (HTTP status 401)`;
	const init = async (urls: string) => await run(['init', '--yes', '--rpc', urls], env);
	expect(await init(wrong)).toEqual({ exitCode: 1, lines: [line] });
	const { exitCode, lines } = await init(`${network().rpcUrl},${wrong}`);
	expect(exitCode).toBe(0);
	expect(lines).toContain(line);
	expect(await run([], { ...env, RPC_URL: wrong })).toEqual({ exitCode: 1, lines: [line] });
});
