/** Endpoints that are reached through a proxy of the operator's network. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import axios from 'axios';
import { listenLocally } from '../../tools/network/local-server.mts';
import { startNetwork } from '../../tools/wallet/network.mts';
import { Resources } from '../support/resources.mts';
import { emptyHome, run } from './support/command-line.mts';

test.each(['http_proxy', 'HTTP_PROXY'])(
	'%s is used with NODE_USE_ENV_PROXY, and not without it',
	async (variable) => {
		await using resources = new Resources();
		const { rpcUrl } = await resources.use(startNetwork(0));
		const { hostname, port } = new URL(rpcUrl);
		let used = 0;
		const proxy = createServer((request, response) => {
			used += 1;
			const forwarded = axios.post(rpcUrl, request, {
				headers: { 'content-type': 'application/json' },
			});
			void forwarded.then(({ data }) => response.end(JSON.stringify(data)));
		});
		proxy.on('connect', (_request, socket) => {
			used += 1;
			socket.write('HTTP/1.1 200 OK\r\n\r\n');
			socket.pipe(connect(Number(port), hostname)).pipe(socket);
		});
		const { url } = await resources.use(listenLocally(proxy));
		const { env } = await emptyHome(resources);
		// Only the proxy knows this host.
		const init = ['init', '--yes', '--rpc', 'http://rpc.invalid'];
		const behind: NodeJS.ProcessEnv = { ...env };
		delete behind.http_proxy;
		delete behind.HTTP_PROXY;
		behind[variable] = url;
		expect(await run(init, behind)).toEqual({
			exitCode: 1,
			lines: ['rpc.invalid is not a known host'],
		});
		expect(used).toBe(0);
		expect((await run(init, { ...behind, NODE_USE_ENV_PROXY: '1' })).exitCode).toBe(0);
		expect(used).toBeGreaterThan(0);
	},
);
