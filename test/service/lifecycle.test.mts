import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import axios from 'axios';
import { HDNodeWallet, JsonRpcProvider } from 'ethers';
import { execa } from 'execa';
import { startSandbox, type RunningSandbox } from '../../tools/sandbox/start.mts';
import { root } from '../../tools/files/paths.mts';
import { startJsonServer } from '../../tools/network/json-server.mts';
import { bundled } from '../../tools/process/bundled.mts';
import { descendants, leftOver } from '../support/processes.mts';

async function answers(rpcUrl: string): Promise<boolean> {
	const body = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
	return axios.post(rpcUrl, body).then(
		() => true,
		() => false,
	);
}

/** Connects to a service and its chain; `gone` resolves when both have closed the connection. */
async function watch({ baseUrl, rpcUrl }: RunningSandbox['ready']) {
	const closed = [baseUrl, rpcUrl].map(async (url) => {
		const { hostname, port } = new URL(url);
		const socket = connect(Number(port), hostname);
		await once(socket, 'connect');
		// A killed process may reset its connections, and `once` would end with that error.
		socket.on('error', () => undefined);
		return [new Promise((resolve) => socket.on('close', resolve))];
	});
	return { gone: Promise.all((await Promise.all(closed)).flat()) };
}

test('the ready line is the only output and contains everything that a caller needs', async () => {
	const server = await bundled('sandbox', 'sandbox/src/server.mts');
	const child = execa(process.execPath, [server], { env: { PORT: '0' }, lines: true });
	const [line] = await once(createInterface({ input: child.stdout }), 'line');
	const ready: RunningSandbox['ready'] = JSON.parse(line);
	expect(ready).toMatchObject({
		ready: true,
		baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
		rpcUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
		chainId: 31337,
		network: 'sandbox',
		nativeSymbol: 'ETH',
		note: 'public test mnemonic, never use with real money',
	});
	expect(ready.users.length).toBeGreaterThanOrEqual(5);
	expect((await axios.get(`${ready.baseUrl}/healthz`)).status).toBe(200);
	child.kill('SIGINT');
	const { exitCode, stdout } = await child;
	expect(exitCode).toBe(0);
	expect(stdout).toEqual([line]);
	expect(await answers(ready.rpcUrl)).toBe(false);
});

test('stopping leaves no process behind', async () => {
	const { pid, ready, stop } = await startSandbox();
	const started = await descendants(process.pid);
	expect(started.filter(({ command }) => /anvil|server\.\w+\.mjs/.test(command)).length).toBe(3);
	expect(started.map((one) => one.pid)).toContain(pid);
	await stop();
	expect(await leftOver(started)).toEqual([]);
	expect(await answers(ready.rpcUrl)).toBe(false);
});

test('the service ends when its parent process is killed', async () => {
	const program = `
		const { startSandbox } = await import(${JSON.stringify(join(root, 'tools', 'sandbox', 'start.mts'))});
		const { ready } = await startSandbox();
		console.log(JSON.stringify(ready));
	`;
	const args = ['--input-type=module', '--eval', program];
	const parent = execa(process.execPath, args, { reject: false });
	const [line] = await once(createInterface({ input: parent.stdout }), 'line');
	const { gone } = await watch(JSON.parse(line));
	parent.kill('SIGKILL');
	await gone;
});

test.each(['service', 'guard'])(
	'the chain and its service end when the %s is killed',
	async (what) => {
		await using sandbox = await startSandbox();
		const { gone } = await watch(sandbox.ready);
		const [guard] = await descendants(sandbox.pid);
		process.kill(what === 'service' ? sandbox.pid : (guard?.pid ?? 0), 'SIGKILL');
		await gone;
	},
);

test('a busy port is reported on one clear line', async () => {
	await using sandbox = await startSandbox();
	const { port } = new URL(sandbox.ready.baseUrl);
	await expect(startSandbox({ port: Number(port) })).rejects.toThrow(
		`The sandbox ended before it was ready:\nPort ${port} is in use; set PORT to another port, or to 0 for any free port`,
	);
});

const RPC_URL = 'http://127.0.0.1:1';
/** The keys and access tokens of the sandbox are public. */
const NOT_HERE = 'RPC_URL must be a development chain on this machine';
const FOREIGN_BLOCKS =
	'SANDBOX_BLOCK_SECONDS must be 0 with RPC_URL: that chain makes its blocks itself';

test.each<[env: Record<string, string>, reason: string]>([
	[{ PORT: 'http' }, 'PORT must be'],
	[{ PORT: '70000' }, 'PORT must be'],
	[{ SANDBOX_HISTORY_LIMIT: '0' }, 'SANDBOX_HISTORY_LIMIT must be'],
	[{ SANDBOX_BLOCK_SECONDS: '1.5' }, 'SANDBOX_BLOCK_SECONDS must be'],
	[{ SANDBOX_START_BLOCK: '-1' }, 'SANDBOX_START_BLOCK must be'],
	[{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be'],
	[{ RPC_URL }, `No chain answers at ${RPC_URL}`],
	...['https://rpc.example', 'http://10.0.0.1:8545', 'http://127.0.0.1.rpc.example'].map(
		(url) => [{ RPC_URL: url }, NOT_HERE] as [Record<string, string>, string],
	),
	[{ RPC_URL, SANDBOX_BLOCK_SECONDS: '2' }, FOREIGN_BLOCKS],
])('%j is refused with the reason', async (env, reason) => {
	await expect(startSandbox({ env })).rejects.toThrow(reason);
});

test('a chain on this machine that is not a development chain is refused', async () => {
	await using server = await startJsonServer(async (_path, body) => {
		const { id, method } = body as { id: number; method: string };
		const block = { number: '0x1', hash: `0x${'1'.repeat(64)}`, timestamp: '0x1' };
		const result = method === 'eth_getBlockByNumber' ? block : '0x1';
		if (method.startsWith('eth_')) return { jsonrpc: '2.0', id, result };
		return { jsonrpc: '2.0', id, error: { code: -32601, message: 'method not found' } };
	});
	await expect(startSandbox({ env: { RPC_URL: server.url } })).rejects.toThrow(
		'is not a development chain such as anvil',
	);
});

test('another service on the same chain finds the contracts, seeds nothing and leaves the chain running', async () => {
	await using first = await startSandbox();
	const provider = new JsonRpcProvider(first.ready.rpcUrl, undefined, { cacheTimeout: -1 });
	const block = await provider.getBlockNumber();
	await using second = await startSandbox({ env: { RPC_URL: first.ready.rpcUrl } });
	expect(second.ready.contracts).toEqual(first.ready.contracts);
	expect(second.ready.rpcUrl).toBe(first.ready.rpcUrl);
	expect(await provider.getBlockNumber()).toBe(block);
	provider.destroy();
	await second.stop();
	expect(await answers(first.ready.rpcUrl)).toBe(true);
});

test('faults do not exist unless they are switched on', async () => {
	await using sandbox = await startSandbox();
	const client = axios.create({ baseURL: sandbox.ready.baseUrl, validateStatus: () => true });
	for (const path of ['/faults', '/faults/requests', '/faults/in-flight']) {
		expect((await client.get(path)).status).toBe(404);
	}
	expect((await client.post('/faults', { kind: 'html' })).status).toBe(404);
});

test('neither keys nor access tokens are in the log, in answers or in the ready line', async () => {
	const log: string[] = [];
	const { ready, stop } = await startSandbox({
		env: { LOG_LEVEL: 'trace' },
		onLog: (line) => log.push(line),
	});
	const answered: unknown[] = [];
	const address = ready.contracts.shapes;
	for (const { id: userId, accessToken } of ready.users) {
		const headers = { Authorization: `Bearer ${accessToken}` };
		const options = { baseURL: ready.baseUrl, headers, validateStatus: () => true };
		const client = axios.create(options);
		const id = encodeURIComponent(userId);
		const inUrl = `?access_token=${accessToken}`;
		for (const path of ['', '/balance', '/history', '/balance/0x12', inUrl, `/none${inUrl}`]) {
			answered.push((await client.get(`/v1/users/${id}${path}`)).data);
		}
		for (const abi of ['store(uint256)', 'failWithPanic(uint256)', 'store(']) {
			const body = { address, abi, args: ['0'] };
			answered.push((await client.post('/v1/contracts/method/write', body)).data);
		}
	}
	await stop();
	expect(log.length).toBeGreaterThan(40);
	const output = [...log, JSON.stringify(answered)].join('\n');
	const accounts = HDNodeWallet.fromPhrase(ready.mnemonic, undefined, "m/44'/60'/0'/0");
	for (let index = 0; index <= ready.users.length; index++) {
		const key = accounts.deriveChild(index).privateKey.slice(2);
		expect(output.toLowerCase()).not.toContain(key);
		expect(JSON.stringify(ready)).not.toContain(key);
	}
	expect(output).not.toContain(ready.mnemonic);
	for (const { accessToken } of ready.users) expect(output).not.toContain(accessToken);
});
