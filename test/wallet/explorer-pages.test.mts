/** The pages below `/explorer`, which need no token. */
import axios from 'axios';
import { AbiCoder, id } from 'ethers';
import { inTests, Resources, useResources } from '../support/resources.mts';
import { install } from './support/network-and-service.mts';
import { changeSettings } from './support/settings.mts';

const TRANSFERS = 200;
const FAILURES = 60;

const resources = useResources();
const installed = inTests(beforeAll, async () => await install(resources, 'sqlite'));

/** Code of a constructor that logs one ERC-1155 transfer of many items. */
function manyTransfers(from: string, to: string): string {
	const items = Array(TRANSFERS).fill(1);
	const data = AbiCoder.defaultAbiCoder().encode(['uint256[]', 'uint256[]'], [items, items]);
	const words = data.slice(2);
	const event = id('TransferBatch(address,address,address,uint256[],uint256[])').slice(2);
	const size = (words.length / 2).toString(16).padStart(4, '0');
	const copy = (start: string) => `61${size}61${start}600039`;
	const topics = [to, from, from].map((address) => `73${address.slice(2)}`).join('');
	const log = `${topics}7f${event}61${size}6000a400`;
	const start = ((copy('0000').length + log.length) / 2).toString(16).padStart(4, '0');
	return `0x${copy(start)}${log}${words}`;
}

const open = async (url: string) => await axios.get<string>(url, { validateStatus: () => true });

test('they are off, and if they are on, short, say nothing about users, and are limited for each address', async () => {
	const { service, network, payers } = installed();
	const [{ address } = { address: '' }] = payers;
	const data = manyTransfers(address, address);
	const sent = await network.provider.send('eth_sendTransaction', [
		{ from: (await network.provider.send('eth_accounts', []))[0], data },
	]);
	const paths = ['', `/address/${address}`, `/tx/${sent}`].map((path) => `/explorer${path}`);
	const openAll = async () => await Promise.all(paths.map((path) => open(service.url + path)));
	{
		await using running = new Resources();
		await running.use(service.start());
		expect((await openAll()).map(({ status }) => status)).toEqual([404, 404, 404]);
	}
	await changeSettings(service, { explorerPages: true });
	await using running = new Resources();
	await running.use(service.start());
	const pages = await openAll();
	expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
	for (const page of pages) expect(page.data).not.toMatch(/LOCAL-0|Balance|1000\.0/);
	const transaction = String(pages[2]?.data);
	const rows = transaction.match(/<tr>/g) ?? [];
	expect(rows.length).toBeGreaterThan(30);
	expect(rows.length).toBeLessThanOrEqual(100);
	expect(transaction).toContain(`<th scope="row">More transfers</th><td>${TRANSFERS - 30}</td>`);
	expect(transaction.length).toBeLessThan(50_000);
	const more = await Promise.all(
		Array.from({ length: FAILURES }, () => open(`${service.url}/explorer`)),
	);
	const refused = more.filter(({ status }) => status === 429);
	expect(refused).toHaveLength(pages.length);
	// Whoever has a token remains served.
	const headers = { authorization: `Bearer ${payers[0]?.token}` };
	expect((await axios.get(`${service.url}/v1/users/LOCAL-0`, { headers })).status).toBe(200);
});
