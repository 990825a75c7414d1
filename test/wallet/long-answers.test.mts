/** Answers that strangers' contracts and endpoints make as long, or nest as deeply, as they like: none stops the service. */
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AbiCoder, toBeHex } from 'ethers';
import { TokenReader } from '../../service/src/chain/token-metadata.mts';
import { RpcClient } from '../../service/src/rpc/client.mts';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { AnswerTooLong, EndpointFailure } from '../../service/src/rpc/failures.mts';
import { revertDataIn } from '../../service/src/rpc/revert-data.mts';
import { startLocalServer } from '../../tools/network/local-server.mts';
import { Resources } from '../support/resources.mts';
import type { RpcRequest } from './support/endpoint.mts';
import { installScripted } from './support/scripted-service.mts';

const [HONEST, ENDLESS] = [toBeHex(1, 20), toBeHex(2, 20)];
const PART = '0'.repeat(64 * 1024);
const HASH = `0x${'1'.repeat(64)}`;

function* endless() {
	for (;;) yield PART;
}

/** An endpoint whose answers about a contract never end, and neither does the list of logs. */
async function startEndless(resources: Resources): Promise<Endpoints> {
	const answers: Record<string, unknown> = {
		eth_chainId: '0x1',
		eth_blockNumber: '0x0',
		eth_getBlockByNumber: { number: '0x0', hash: HASH },
		eth_call: AbiCoder.defaultAbiCoder().encode(['string'], ['SUSD']),
	};
	const answer = ({ id, method }: RpcRequest) => ({ jsonrpc: '2.0', id, result: answers[method] });
	const { url } = await resources.use(
		startLocalServer(async (request, response) => {
			const body = await text(request);
			const asked: RpcRequest | RpcRequest[] = JSON.parse(body);
			const isEndless = body.includes(ENDLESS) || body.includes('eth_getLogs');
			if (isEndless) return void Readable.from(endless()).pipe(response);
			response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)));
		}),
	);
	return await Endpoints.connect([url]);
}

test('a name without an end is left out, and those that are asked for together with it are read', async () => {
	await using resources = new Resources();
	const endpoints = await startEndless(resources);
	const reader = new TokenReader(endpoints);
	const tokens = [HONEST, ENDLESS].map(async (token) => await reader.metadata(token));
	const [honest, endless] = await Promise.all(tokens);
	expect(honest).toMatchObject({ name: 'SUSD', symbol: 'SUSD' });
	expect(endless).toEqual({ name: '', symbol: '', decimals: 0, isCertain: true });
	// A contract says nothing about the endpoint.
	expect(endpoints.states).toMatchObject([{ failures: 0, isAnswering: true }]);
});

test('an answer without an end is no answer of the endpoint, unless a contract makes it', async () => {
	await using resources = new Resources();
	const [client] = (await startEndless(resources)).clients();
	await expect(client?.call('eth_getLogs', [])).rejects.toThrow(EndpointFailure);
	await expect(client?.call('eth_estimateGas', [{ to: ENDLESS }])).rejects.toThrow(AnswerTooLong);
});

test.each([
	['lists', '[],'],
	['a list of a list', '['],
	['objects', '{},'],
	['numbers', '1,'],
])('%s that would take far more memory than their text are no answer', async (_what, part) => {
	await using resources = new Resources();
	const parts = part.repeat(2_100_000);
	const { url } = await resources.use(
		startLocalServer((_request, response) => {
			response.end(`{"jsonrpc":"2.0","id":1,"result":[${parts}`);
		}),
	);
	const client = new RpcClient(url, 60_000);
	const error = await client.call('eth_getLogs', []).catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(EndpointFailure);
	expect(error).toMatchObject({ cause: expect.any(AnswerTooLong) });
});

const LONG = 80_000;
const REVERT = 'VM Exception while processing transaction: revert';

test.each([
	['data of an error', 'execution reverted', `0x${'ab'.repeat(LONG / 2)}`],
	['a word', 'a'.repeat(LONG), '0x'],
	['spaces before a reason', `execution reverted: ${' '.repeat(LONG)}\nx`, undefined],
	['spaces behind a word', `${REVERT} ${' '.repeat(LONG)}\nx`, undefined],
])('%s without an end: an error is read at once', (_what, message, data) => {
	const begun = performance.now();
	expect(revertDataIn({ code: 3, message, data })).toMatch(/^0x/);
	expect(performance.now() - begun).toBeLessThan(1_000);
});

test.each([
	['results', (deep: string) => `"result":${deep}`],
	['errors', (deep: string) => `"error":{"code":${deep},"message":${deep},"data":${deep}}`],
])('%s of one endpoint that are nested without an end leave the other one', async (_what, form) => {
	await using resources = new Resources();
	const { endpoints, payers, get, start } = await installScripted(resources);
	await start();
	const deep = `${'['.repeat(LONG)}${']'.repeat(LONG)}`;
	endpoints[0]?.lieByHttp((requests) => {
		if (!requests.some(({ method }) => method === 'eth_getBalance')) return undefined;
		const bodies = requests.map(({ id }) => `{"jsonrpc":"2.0","id":${id},${form(deep)}}`);
		return { status: 200, body: bodies.length === 1 ? String(bodies[0]) : `[${bodies.join()}]` };
	});
	expect(await get(`/users/${payers[0]?.id}/balance`)).toMatchObject({ status: 200 });
});
