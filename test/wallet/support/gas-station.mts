/** A service with a gas station. */
import axios from 'axios';
import { parseEther, toQuantity } from 'ethers';
import { openDatabase } from '../../../service/src/store/open.mts';
import { freePort } from '../../../tools/network/ports.mts';
import { Resources } from '../../support/resources.mts';
import { until } from '../../support/until.mts';
import { startEndpoint } from './endpoint.mts';
import { install, type DatabaseKind } from './network-and-service.mts';
import { changeSettings } from './settings.mts';

const SERVING = 'test/wallet/support/serving.mts';
const ROUNDS = 4;
const HOUR_MS = 3_600_000;

export const STATION = { user: 'LOCAL-0', below: '0.01', upTo: '0.05', perDay: '1' };
export const FULL = parseEther(STATION.upTo);

/** A service whose first user is the station; all others have nothing. */
export async function stationAmong(
	resources: Resources,
	kind: DatabaseKind,
	users: number,
	settings: object = {},
) {
	const { network, service, payers } = await install(resources, kind, { payers: users + 1 });
	await changeSettings(service, { gasStation: { ...STATION, ...settings } });
	const [station, ...others] = payers;
	if (!station) throw new Error('There is no user');
	const { provider } = network;
	const setBalance = async (address: string, balance: bigint) =>
		await provider.send('anvil_setBalance', [address, toQuantity(balance)]);
	for (const { address } of others) await setBalance(address, 0n);
	/** Starts a process. @param hours by which it counts limits later */
	const start = async (hours = 0, env: NodeJS.ProcessEnv = {}) => {
		const ahead = hours === 0 ? {} : { AHEAD_MS: String(hours * HOUR_MS) };
		const test = { RPC_URL: endpoint.url, TOP_UP_EVERY_MS: '200', ...ahead };
		return await service.start(SERVING, { ...test, ...env });
	};
	let asked = 0;
	let atFirst: (() => Promise<unknown>) | undefined;
	const endpoint = await resources.use(
		startEndpoint(network.rpcUrl, (request) => {
			if (request.method === 'eth_getBalance') asked += 1;
			if (request.method !== 'eth_sendRawTransaction' || !atFirst) return undefined;
			const done = atFirst();
			atFirst = undefined;
			return done.then(async () => (await axios.post(network.rpcUrl, request)).data);
		}),
	);
	const db = await resources.use(openDatabase(service.database));
	return {
		service,
		provider,
		station,
		others,
		setBalance,
		db,
		start,
		/** Does something before the first top-up is sent. */
		beforeFirst(work: () => Promise<unknown>): void {
			atFirst = work;
		},
		/** Does something while two processes run. */
		async both(hours: number, work: () => Promise<void>): Promise<void> {
			await using running = new Resources();
			await running.use(start(hours));
			await running.use(start(hours, { PORT: String(await freePort()) }));
			await work();
		},
		/** The wallets that have been topped up, by place. */
		async topped(): Promise<number[]> {
			const balances = others.map(async ({ address }) => await provider.getBalance(address));
			return (await Promise.all(balances)).flatMap((balance, place) =>
				balance === FULL ? [place] : [],
			);
		},
		/** Waits until every process has looked at all wallets several times. */
		async rounds(processes: number): Promise<void> {
			const before = asked;
			await until(async () => asked - before > processes * ROUNDS * payers.length);
		},
		async writes() {
			const all = db.selectFrom('writes').select(['to_address', 'key', 'state', 'nonce']);
			return await all.orderBy('nonce').execute();
		},
		/** Makes all writes final. */
		async settle(): Promise<void> {
			await provider.send('anvil_mine', [toQuantity(70)]);
			await until(async () => {
				const open = db.selectFrom('writes').select('id').where('state', '!=', 'final');
				if ((await open.executeTakeFirst()) === undefined) return true;
				// One that was sent after these blocks needs others above it.
				await provider.send('anvil_mine', []);
				return false;
			});
		},
	};
}
