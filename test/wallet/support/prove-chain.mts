/** The proof on a wild chain: every write ends, at most once executed, and as the service reports it. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../../service/src/store/tables.mts';
import { LEDGER, startNetwork } from '../../../tools/wallet/network.mts';
import type { Payer } from '../../../tools/wallet/installed-service.mts';
import { Resources } from '../../support/resources.mts';
import { NEVER } from './orders.mts';
import { pay, payloadOf, type Told } from './payment.mts';
import { randomNumbers } from '../../support/random-numbers.mts';
import { BLOCK_MS, makeWeather } from './weather.mts';
import { installWildService } from './wild-service.mts';
import { WildChain, type ChainKind } from './wild-chain.mts';

export interface ChainProofOptions {
	writes: number;
	/** Reorganisations during which they are paid. */
	reorganisations: number;
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
/** Longest pause of a caller before an order. */
const PAUSE_MS = 2_000;
const TRIES = 40;
/** Share of the callers that send a request once. */
const GONE_SHARE = 0.3;

/** Every change of a state that is possible, and the further transactions of a write. */
const CHANGES = [
	'signed > accepted',
	'signed > mined',
	'signed > foreign',
	'accepted > mined',
	'accepted > foreign',
	'mined > accepted',
	'mined > final (succeeded)',
	'mined > final (reverted)',
	'mined > cancelled',
	'fees raised',
	'given up',
];

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
	const count = counts.prepare('SELECT count(*) AS times FROM transitions WHERE change = ?');
	return new Map(CHANGES.map((change) => [change, Number(count.get(change)?.times)]));
}

/** Pays each order, repeating under its key until it is done, refused, or the caller is gone. */
async function payAll(
	url: string,
	payers: readonly Payer[],
	{
		writes,
		seed,
		first,
		mayPay,
	}: ChainProofOptions & { first: number; mayPay(number: number): boolean },
): Promise<Map<number, Told>> {
	const random = randomNumbers(seed + 1);
	const told = new Map<number, Told>();
	const numbers = Array.from({ length: writes }, (_unused, number) => number).values();
	const caller = async (): Promise<void> => {
		for (const number of numbers) {
			const payer = payers[number % payers.length];
			if (!payer) continue;
			while (!mayPay(number)) await setTimeout(BLOCK_MS);
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
	const rpcUrl = options.rpcUrl ?? (await resources.use(startNetwork(NEVER))).rpcUrl;
	const chain = new WildChain(rpcUrl, options.kind);
	const wild = await installWildService(resources, rpcUrl, chain, PAYERS);
	const { service, payers, db, kill, openTransactions } = wild;
	const counts = new DatabaseSync(service.database, { timeout: 10_000 });
	counts.exec(COUNTING);
	// A chain that is given may have payments of an earlier proof.
	const first = Date.now() * 1_000;
	const began = performance.now();
	await wild.start();
	const keys = payers.map(({ key }) => key);
	const { writes, reorganisations, seed } = options;
	const share = () => (chain.events.get('reorganisation') ?? 0) / reorganisations;
	let [isFair, isOver] = [false, false];
	const isPast = () => isFair && share() >= 1;
	const weather = makeWeather(chain, { seed, keys, isOver: isPast, kill, openTransactions });
	const operator = wild.reconcile(() => isOver);
	const mayPay = (number: number) => number <= share() * writes;
	const told = await payAll(service.url, payers, { ...options, first, mayPay });
	isFair = true;
	await weather;
	await wild.settle();
	isOver = true;
	await operator;
	const counted = await account(db, chain, { told, first });
	const transitions = transitionsIn(counts);
	counts.close();
	chain.provider.destroy();
	const seconds = Math.round((performance.now() - began) / 1_000);
	return { ...counted, seconds, transitions, events: chain.events };
}
