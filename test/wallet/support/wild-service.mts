/** A wallet service on a wild chain: killed and started again, with an operator who opens closed wallets. */
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { Database } from '../../../service/src/store/tables.mts';
import { InstalledService, type Payer } from '../../../tools/wallet/installed-service.mts';
import type { Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { ChosenLies } from './chosen-lies.mts';
import { startEndpoint, type RpcRequest } from './endpoint.mts';
import { BLOCK_MS, type OpenTransaction } from './weather.mts';
import type { WildChain } from './wild-chain.mts';

const ENTRY = 'test/wallet/support/serving.mts';
const SETTINGS = { ANSWER_MS: '3000', STUCK_MS: '1500', TTL_MS: '6000' };
/** Time for all writes to end once the weather is fair. */
const SETTLE_MS = 240_000;

/** Share of the answers of the better endpoint that are not so. */
const LIES = 0.05;

export interface WildService {
	service: InstalledService;
	payers: Payer[];
	db: Database;
	start(): Promise<void>;
	kill(): Promise<void>;
	openTransactions(): Promise<OpenTransaction[]>;
	/** Makes blocks until all writes have ended. */
	settle(): Promise<void>;
	/** Opens closed wallets until told to stop, as an operator does. */
	reconcile(isOver: () => boolean): Promise<void>;
}

/** Sets up a service over a good and a lagging endpoint; it does not run yet. */
export async function installWildService(
	resources: Resources,
	rpcUrl: string,
	chain: WildChain,
	payerCount: number,
): Promise<WildService> {
	const { path: folder } = await resources.use(temporaryFolder('wild-service'));
	const lies = new ChosenLies(payerCount, LIES);
	const leader = async (request: RpcRequest) =>
		lies.bend(request, await ((await chain.leader(request)) ?? chain.pass(request)));
	const endpoints = await Promise.all(
		[leader, chain.laggard].map((treat) => resources.use(startEndpoint(rpcUrl, treat))),
	);
	const service = await InstalledService.create(folder, [rpcUrl]);
	service.environment.RPC_URL = endpoints.map(({ url }) => url).join(',');
	const payers = await service.addPayers(payerCount);
	await chain.prepare(payers.map(({ address }) => address));
	const db = await openDatabase(service.database);
	await resources.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	let running: Awaited<ReturnType<InstalledService['start']>> | undefined;
	await resources.use({
		[Symbol.asyncDispose]: async () => await running?.[Symbol.asyncDispose](),
	});
	const start = async (): Promise<void> => {
		running = await service.start(ENTRY, SETTINGS);
	};
	return {
		service,
		payers,
		db,
		start,
		async kill() {
			await running?.kill();
			await start();
			chain.count('kill');
		},
		async openTransactions() {
			const rows = db.selectFrom('attempts').innerJoin('writes', 'writes.id', 'attempts.write_id');
			const open = rows.select(['hash', 'wallet_id', 'state']);
			return await open.where('state', 'in', ['signed', 'accepted']).execute();
		},
		async settle() {
			lies.becomeHonest();
			const unfinished = db
				.selectFrom('writes')
				.select('id')
				.where('state', 'in', ['signed', 'accepted', 'mined']);
			const end = performance.now() + SETTLE_MS;
			while ((await unfinished.executeTakeFirst()) && performance.now() < end) {
				await chain.mine();
				await setTimeout(BLOCK_MS / 3);
			}
		},
		async reconcile(isOver) {
			while (!isOver()) {
				await setTimeout(1_000);
				const closed = db.selectFrom('wallets').select('address').where('state', '=', 'closed');
				for (const { address } of await closed.execute()) {
					// Not yet, as long as a reorganisation can change it.
					await service.run('wallet', 'reconcile', address).catch(() => undefined);
				}
			}
		},
	};
}
