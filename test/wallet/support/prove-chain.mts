/** The proof on a wild chain: every write ends, at most once executed, and as the service reports it. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { Database } from '../../../service/src/store/tables.mts';
import { LEDGER, startNetwork } from '../../../tools/wallet/network.mts';
import { InstalledService, type Payer } from '../../../tools/wallet/installed-service.mts';
import { Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { startEndpoint } from './endpoint.mts';
import { NEVER } from './orders.mts';
import { pay, payloadOf, type Told } from './payment.mts';
import { randomNumbers } from './random.mts';
import { MAX_UNDONE, WildChain, type ChainKind } from './wild-chain.mts';

export interface ChainProofOptions {
	writes: number;
	seed: number;
	kind: ChainKind;
	/** A chain that is running; by default an own anvil. */
	rpcUrl?: string | undefined;
}

export interface ChainProof {
	lost: number;
	doubled: number;
	/** Writes whose reported end is not what the chain has. */
	false: number;
	/** Writes that never ended. */
	open: number;
	seconds: number;
	/** How often each event, and each change of a state, has happened. */
	events: Map<string, number>;
	transitions: Map<string, number>;
}

const PAYERS = 12;
const CALLERS = 24;
const BLOCK_MS = 300;
/** Longest pause of a caller between two orders: about six of them are paid for each reorganisation. */
const PAUSE_MS = 8_000;
const ENTRY = 'test/wallet/support/serving.mts';
const SETTINGS = { ANSWER_MS: '3000', STUCK_MS: '1500', TTL_MS: '6000' };
const REFUSAL_MS = 9_000;
const DOWN_MS = 2_500;
/** Time for all writes to end once the weather is fair. */
const SETTLE_MS = 240_000;
const TRIES = 40;
/** Share of the callers that send a request once. */
const GONE_SHARE = 0.3;

/** Counts each change of a state in the database itself, so that none is missed. */
const COUNTING = `
	CREATE TABLE transitions (change text NOT NULL);
	CREATE TRIGGER transition AFTER UPDATE OF state ON writes WHEN old.state <> new.state BEGIN
		INSERT INTO transitions VALUES (old.state || ' > ' || new.state ||
			CASE WHEN new.state <> 'final' THEN '' WHEN new.status = 1 THEN ' (succeeded)' ELSE ' (reverted)' END);
	END;
	CREATE TRIGGER attempt AFTER INSERT ON attempts WHEN new.no > 1 BEGIN
		INSERT INTO transitions VALUES (CASE new.kind WHEN 'call' THEN 'fees raised' ELSE 'given up' END);
	END`;

function transitionsIn(counts: DatabaseSync): Map<string, number> {
	const statement =
		'SELECT change, count(*) AS times FROM transitions GROUP BY change ORDER BY change';
	const rows = counts.prepare(statement).all();
	return new Map(rows.map(({ change, times }) => [String(change), Number(times)]));
}

/** Makes blocks and events until told to stop. */
async function makeWeather(
	chain: WildChain,
	openWrites: () => Promise<{ hash: string; wallet_id: number }[]>,
	keys: readonly string[],
	{ seed, isOver, kill }: { seed: number; isOver(): boolean; kill(): Promise<void> },
): Promise<void> {
	const random = randomNumbers(seed);
	const below = (count: number) => Math.floor(random() * count);
	const anyOpen = async () => {
		const open = await openWrites();
		return open[below(open.length)];
	};
	const [calm, down] = [{ until: 0 }, { until: 0 }];
	while (!isOver()) {
		await setTimeout(BLOCK_MS);
		const now = performance.now();
		if (now > calm.until) chain.setRefusing(false);
		if (now > down.until) chain.setLeaderDown(false);
		const dice = random();
		if (dice < 0.25) await chain.reorganise(1 + below(MAX_UNDONE));
		else if (dice < 0.33) {
			const open = await anyOpen();
			if (open) await chain.evict(open.hash);
		} else if (dice < 0.37) await chain.storm(1 + below(40));
		else if (dice < 0.41) await chain.revertBlock();
		else if (dice < 0.46) {
			const key = keys[(await anyOpen())?.wallet_id ?? 0];
			if (key !== undefined) await chain.signElsewhere(key);
		} else if (dice < 0.48 && now > calm.until) {
			chain.setRefusing(true);
			calm.until = now + REFUSAL_MS;
		} else if (dice < 0.5 && now > down.until) {
			chain.setLeaderDown(true);
			down.until = now + DOWN_MS;
		} else if (dice > 0.98) await kill();
		await chain.mine();
	}
	chain.setRefusing(false);
	chain.setLeaderDown(false);
}

/** Opens closed wallets, as an operator does. */
async function reconcile(service: InstalledService, db: Database, isOver: () => boolean) {
	while (!isOver()) {
		await setTimeout(1_000);
		const closed = db.selectFrom('wallets').select('address').where('state', '=', 'closed');
		for (const { address } of await closed.execute()) {
			// Not yet, as long as a reorganisation can change it.
			await service.run('wallet', 'reconcile', address).catch(() => undefined);
		}
	}
}

/** Pays each order, repeating under its key until it is done, refused, or the caller is gone. */
async function payAll(
	url: string,
	payers: readonly Payer[],
	{ writes, seed, first }: ChainProofOptions & { first: number },
): Promise<Map<number, Told>> {
	const random = randomNumbers(seed + 1);
	const told = new Map<number, Told>();
	const numbers = Array.from({ length: writes }, (_unused, number) => number).values();
	const caller = async (): Promise<void> => {
		for (const number of numbers) {
			const payer = payers[number % payers.length];
			if (!payer) continue;
			await setTimeout(random() * PAUSE_MS);
			const tries = random() < GONE_SHARE ? 1 : TRIES;
			for (let attempt = 0; attempt < tries; attempt++) {
				const answer = await pay(url, payer, `order ${number}`, payloadOf(first + number), 20_000);
				told.set(number, answer);
				if (answer.status === 'SUCCESS') break;
				await setTimeout(500 + random() * 1_000);
			}
		}
	};
	await Promise.all(Array.from({ length: CALLERS }, caller));
	return told;
}

/** Compares what callers were told, and how the service says that each write ended, with the chain. */
async function account(
	db: Database,
	chain: WildChain,
	{ told, first }: { told: Map<number, Told>; first: number },
): Promise<Pick<ChainProof, 'lost' | 'doubled' | 'false' | 'open'>> {
	const found = { lost: 0, doubled: 0, false: 0, open: 0 };
	const report = (what: keyof typeof found, number: number, ...details: unknown[]) => {
		found[what] += 1;
		console.error(`${what}: order ${number}`, ...details);
	};
	const rows = await db.selectFrom('writes').select(['key', 'state', 'status']).execute();
	const ends = new Map(rows.map(({ key, state, status }) => [key, { state, status }]));
	for (const [number, { code, status: answer, hash }] of told) {
		const end = ends.get(`order ${number}`);
		const executions = Number(await chain.provider.getStorage(LEDGER, payloadOf(first + number)));
		const isDone = end?.state === 'final' && end.status === 1;
		const isEnded = end === undefined || ['final', 'cancelled', 'foreign'].includes(end.state);
		if (executions > 1) report('doubled', number, executions, end, answer);
		// 503 with a hash promises nothing: the database did not confirm the write.
		const isPromised = hash !== undefined && code < 300;
		if (!end && (isPromised || executions > 0)) report('lost', number, executions, end, answer);
		if (isDone && executions === 0) report('lost', number, executions, end, answer);
		if (!isEnded) report('open', number, executions, end, answer);
		if (isEnded && !isDone && executions > 0) report('false', number, executions, end, answer);
		if (answer === 'FAILED' && end === undefined && executions > 0)
			report('false', number, executions, end, answer);
	}
	return found;
}

export async function proveOnChain(options: ChainProofOptions): Promise<ChainProof> {
	await using resources = new Resources();
	const { path: folder } = await resources.use(temporaryFolder('chain-proof'));
	const rpcUrl = options.rpcUrl ?? (await resources.use(startNetwork(NEVER))).rpcUrl;
	const chain = new WildChain(rpcUrl, options.kind);
	const endpoints = await Promise.all(
		[chain.leader, chain.laggard].map((treat) => resources.use(startEndpoint(rpcUrl, treat))),
	);
	const service = await InstalledService.create(folder, [rpcUrl]);
	service.environment.RPC_URL = endpoints.map(({ url }) => url).join(',');
	const payers = await service.addPayers(PAYERS);
	await chain.prepare(payers.map(({ address }) => address));
	const keys = payers.map(({ key }) => key);
	const db = await openDatabase(service.database);
	const counts = new DatabaseSync(service.database, { timeout: 10_000 });
	counts.exec(COUNTING);
	// A chain that is given may have payments of an earlier proof.
	const first = Date.now() * 1_000;
	const began = performance.now();
	let running = await service.start(ENTRY, SETTINGS);
	const stop = async (): Promise<void> => await running[Symbol.asyncDispose]();
	await resources.use({ [Symbol.asyncDispose]: stop });
	const kill = async (): Promise<void> => {
		await running.kill();
		running = await service.start(ENTRY, SETTINGS);
		chain.count('kill');
	};
	const openWrites = async () => {
		const rows = db.selectFrom('attempts').innerJoin('writes', 'writes.id', 'attempts.write_id');
		const open = rows.select(['hash', 'wallet_id']).where('state', 'in', ['signed', 'accepted']);
		return await open.execute();
	};
	let [isFair, isOver] = [false, false];
	const weather = makeWeather(chain, openWrites, keys, {
		seed: options.seed,
		isOver: () => isFair,
		kill,
	});
	const operator = reconcile(service, db, () => isOver);
	const told = await payAll(service.url, payers, { ...options, first });
	isFair = true;
	await weather;
	const open = db
		.selectFrom('writes')
		.select('id')
		.where('state', 'in', ['signed', 'accepted', 'mined']);
	const end = performance.now() + SETTLE_MS;
	while ((await open.executeTakeFirst()) && performance.now() < end) {
		await chain.mine();
		await setTimeout(BLOCK_MS / 3);
	}
	isOver = true;
	await operator;
	const counted = await account(db, chain, { told, first });
	const transitions = transitionsIn(counts);
	counts.close();
	await db.destroy();
	chain.provider.destroy();
	const seconds = Math.round((performance.now() - began) / 1_000);
	return { ...counted, seconds, transitions, events: chain.events };
}
