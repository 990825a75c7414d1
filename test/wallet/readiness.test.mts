/** Whether the service works: `/healthz`, `/readyz`, `/metrics` and `status`, which name what is wrong without secrets. */
import axios from 'axios';
import { parseEther, toQuantity } from 'ethers';
import { openDatabase } from '../../service/src/store/open.mts';
import { freePort } from '../../tools/network/ports.mts';
import { inTests, useResources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { startEndpoint } from './support/endpoint.mts';
import { install } from './support/network-and-service.mts';
import { pay, payloadOf } from './support/payment.mts';
import { changeSettings } from './support/settings.mts';

const SECRET = 'key-of-the-provider';
const PATIENCE_MS = 30_000;

const resources = useResources();
const started = inTests(beforeAll, async () => {
	const { network, service, payers } = await install(resources, 'sqlite', { payers: 2 });
	let isDead = false;
	const endpoint = await resources.use(
		startEndpoint(network.rpcUrl, () => {
			return isDead ? { error: { code: -32005, message: 'limit exceeded' } } : undefined;
		}),
	);
	const other = await resources.use(startEndpoint(network.rpcUrl, () => undefined));
	const metricsPort = await freePort();
	await changeSettings(service, { metricsPort, lowGas: '0.5' });
	const rpcUrls = [other.url, endpoint.url].map((url) => `${url}/v3/${SECRET}`);
	await resources.use(service.start(undefined, { RPC_URL: rpcUrls.join(',') }));
	const client = axios.create({ baseURL: service.url, validateStatus: () => true });
	return {
		network,
		service,
		payers,
		endpoint: new URL(endpoint.url).host,
		other: new URL(other.url).host,
		die: (isNow: boolean) => (isDead = isNow),
		/** What is wrong, as soon as it includes a code or, by default, nothing is. */
		async problems(code?: string) {
			const read = async () => await client.get('/readyz');
			const isSo = ({ problems }: { problems: { code: string }[] }) =>
				code === undefined ? problems.length === 0 : problems.some((one) => one.code === code);
			await until(async () => isSo((await read()).data));
			const { status, data } = await read();
			expect(JSON.stringify(data)).not.toContain(SECRET);
			return { status, data };
		},
		health: async () => await client.get('/healthz'),
		async metrics(): Promise<string> {
			return (await axios.get(`http://127.0.0.1:${metricsPort}/metrics`)).data;
		},
	};
});

test('a service that works says so, without a token', async () => {
	const { problems, endpoint, other } = started();
	const { status, data } = await problems();
	expect(status).toBe(200);
	expect(data).toMatchObject({ status: 'ok', problems: [], closedWallets: 0, lowWallets: 0 });
	const names = data.endpoints.map(({ name }: { name: string }) => name);
	expect(names).toEqual([other, endpoint]);
});

test('an endpoint that does not answer is named by its host; the process is healthy all the same', async () => {
	const { problems, die, endpoint, health } = started();
	die(true);
	const { status, data } = await problems('endpoint_silent');
	expect(status).toBe(503);
	const text = `The endpoint ${endpoint} does not answer`;
	expect(data).toMatchObject({ status: 'FAILED', problems: [{ code: 'endpoint_silent', text }] });
	expect((await health()).data).toEqual({ status: 'ok' });
	die(false);
	await problems();
});

test('writes are counted by outcome, and commits, open writes, endpoints and balances are measured', async () => {
	const { service, payers, metrics, network, endpoint } = started();
	const [payer] = payers;
	if (!payer) throw new Error('There is no user');
	const payOnce = async () => await pay(service.url, payer, 'order 1', payloadOf(1), PATIENCE_MS);
	expect([(await payOnce()).code, (await payOnce()).code]).toEqual([200, 200]);
	await network.provider.send('anvil_mine', [toQuantity(70)]);
	const lines = [
		'wallet_service_writes_total{outcome="submitted"} 1',
		'wallet_service_writes_total{outcome="replayed"} 1',
		'wallet_service_writes_total{outcome="succeeded"} 1',
		'wallet_service_commit_seconds_count 1',
		'wallet_service_open_writes{state="mined"} 0',
		`wallet_service_endpoint_lag_blocks{endpoint="${endpoint}"}`,
		`wallet_service_wallet_balance{address="${payer.address}"} `,
		'process_resident_memory_bytes',
	];
	let text = '';
	await until(async () => {
		text = await metrics();
		return lines.every((line) => text.includes(line));
	});
	expect(text).not.toContain(SECRET);
});

test('a wallet in use with too little coin for gas is reported, one that never wrote is not', async () => {
	const { network, service, payers } = started();
	const little = toQuantity(parseEther('0.4'));
	for (const { address } of payers) {
		await network.provider.send('anvil_setBalance', [address, little]);
	}
	expect(await service.run('status')).toMatch(/Less than 0.5 ETH for gas: 1 wallet$/);
});

test('a closed wallet is reported until it is open again', async () => {
	const { service, problems, metrics } = started();
	const db = await openDatabase(service.database);
	const set = async (state: 'open' | 'closed') =>
		await db.updateTable('wallets').set({ state }).where('id', '=', 1).execute();
	await set('closed');
	const { status, data } = await problems('wallet_closed');
	expect(status).toBe(503);
	expect(data).toMatchObject({ closedWallets: 1 });
	expect(await metrics()).toContain('wallet_service_closed_wallets 1');
	await set('open');
	await db.destroy();
	await until(async () => (await metrics()).includes('wallet_service_closed_wallets 0'));
});
