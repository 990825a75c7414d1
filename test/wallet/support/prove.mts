/** The proof: many writes through lying endpoints and random kills, and an account of what the chain has executed. */
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../../service/src/store/open.mts';
import { Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import {
	InstalledService,
	type Payer,
	type RunningService,
} from '../../../tools/wallet/installed-service.mts';
import { ChosenLies } from './chosen-lies.mts';
import { startLiar } from './liar.mts';
import { startNetwork, type Network } from '../../../tools/wallet/network.mts';
import { postgresUrl, type DatabaseKind } from './network-and-service.mts';
import { pay, payloadOf, type Told } from './payment.mts';
import { randomNumbers } from '../../support/random-numbers.mts';

export interface ProofOptions {
	writes: number;
	kills: number;
	database: DatabaseKind;
	seed: number;
	/** The control: callers take an error as proof that nothing was sent, and pay again under a new key. */
	freesAfterErrors?: boolean;
}

export interface Proof {
	lost: number;
	doubled: number;
	/** Executed without a record in the database. */
	unrecorded: number;
	kills: number;
	/** Requests of callers, and requests of the service to its endpoints that were treated badly. */
	requests: number;
	faults: number;
	seconds: number;
	/** Times from a start to readiness, sorted, in milliseconds. */
	startMs: number[];
	/** Largest memory of a service process, in MiB. */
	memoryMb: number;
}

const PAYERS = 20;
const CALLERS = 32;
/** Share of the answers that are lost, or wrong: of the endpoints to the service, and of the service to its callers. */
const FAULTY_SHARE = 0.25;
/** Share of the answers that are not so. */
const CHOSEN_SHARE = 0.1;
/** Share of the callers that send a request once, and are gone whatever happens. */
const GONE_SHARE = 0.3;
const SETTLE_MS = 300_000;
/** Callers of the control give up after some attempts: they would never be sure. */
const CONTROL_ATTEMPTS = 12;

/** The most memory that a process has used, in MiB. */
async function peakMemory(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** Keeps a service running, and kills it at random times. */
class Victim {
	readonly startMs: number[] = [];
	memoryMb = 0;
	kills = 0;
	readonly #service: InstalledService;
	#running: RunningService | undefined;

	constructor(service: InstalledService) {
		this.#service = service;
	}

	/** Starts the service again and again until it is ready, as a supervisor does. */
	async start(): Promise<void> {
		const begun = performance.now();
		for (;;) {
			const running = await this.#service.start().catch(() => undefined);
			if (!running) continue;
			this.#running = running;
			this.startMs.push(performance.now() - begun);
			return;
		}
	}

	async kill(): Promise<void> {
		await this.#measure();
		await this.#running?.kill();
		this.kills += 1;
		await this.start();
	}

	async stop(): Promise<void> {
		await this.#measure();
		await this.#running?.[Symbol.asyncDispose]();
	}

	async #measure(): Promise<void> {
		this.memoryMb = Math.max(this.memoryMb, await peakMemory(this.#running?.pid ?? 0));
	}
}

/** Payments by callers, most of whom repeat until they know the outcome. @returns what each was told last */
class Callers {
	/** By number of the payment; undefined if its caller is gone. */
	readonly told = new Map<number, Told>();
	requests = 0;
	finished = 0;
	readonly #options: ProofOptions;
	readonly #random: () => number;

	constructor(options: ProofOptions) {
		this.#options = options;
		this.#random = randomNumbers(options.seed);
	}

	async run(url: string, payers: readonly Payer[]): Promise<void> {
		const numbers = Array.from(
			{ length: this.#options.writes },
			(_unused, number) => number,
		).values();
		const caller = async (): Promise<void> => {
			for (const number of numbers) {
				const payer = payers[number % payers.length];
				if (payer) this.told.set(number, await this.#payOnce(url, payer, number));
				this.finished += 1;
			}
		};
		await Promise.all(Array.from({ length: CALLERS }, caller));
	}

	async #payOnce(url: string, payer: Payer, number: number): Promise<Told> {
		const { freesAfterErrors = false } = this.#options;
		const isGone = !freesAfterErrors && this.#random() < GONE_SHARE;
		for (let attempt = 0; ; attempt++) {
			const key = freesAfterErrors ? `${number}/${attempt}` : `order ${number}`;
			this.requests += 1;
			const patience = 300 + this.#random() * 5_000;
			const answer = await pay(url, payer, key, payloadOf(number), patience);
			const told = this.#random() < FAULTY_SHARE ? { code: 0 } : answer;
			if (freesAfterErrors && attempt === CONTROL_ATTEMPTS) return told;
			if (told.status === 'SUCCESS' || isGone) return told;
			await setTimeout(200 + this.#random() * 600);
		}
	}
}

/** Payments that the database has, by key. */
async function recordedKeys(service: InstalledService): Promise<Set<string>> {
	const db = await openDatabase(service.database);
	const isOpen = async () =>
		await db
			.selectFrom('writes')
			.select('id')
			.where('state', 'in', ['signed', 'accepted'])
			.executeTakeFirst();
	const end = performance.now() + SETTLE_MS;
	while ((await isOpen()) && performance.now() < end) await setTimeout(500);
	const rows = await db.selectFrom('writes').select('key').where('state', '!=', 'void').execute();
	await db.destroy();
	return new Set(rows.map(({ key }) => key));
}

/** Compares what callers were told and what the database has with the chain. */
async function account(
	network: Network,
	callers: Callers,
	recorded: Set<string>,
): Promise<Pick<Proof, 'lost' | 'doubled' | 'unrecorded'>> {
	const found = { lost: 0, doubled: 0, unrecorded: 0 };
	for (const [number, told] of callers.told) {
		const executions = await network.executions(payloadOf(number));
		const isRecorded = recorded.has(`order ${number}`);
		const isPromised = isRecorded || told.hash !== undefined;
		if (executions === 0 && isPromised) found.lost += 1;
		if (executions > 1) found.doubled += 1;
		if (executions === 1 && !isRecorded) found.unrecorded += 1;
	}
	return found;
}

export async function prove(options: ProofOptions): Promise<Proof> {
	await using resources = new Resources();
	const { path: folder } = await resources.use(temporaryFolder('proof'));
	const databaseUrl = options.database === 'postgres' ? await postgresUrl(resources) : undefined;
	const network = await resources.use(startNetwork(1));
	// Both lose, delay and garble answers; one alone tells what is not so.
	const chosen = [new ChosenLies(options.seed, CHOSEN_SHARE), undefined];
	const liars = await Promise.all(
		chosen.map((lies, number) => {
			const seed = options.seed * 10 + number + 1;
			return resources.use(startLiar(network.rpcUrl, seed, FAULTY_SHARE, lies));
		}),
	);
	const honest = network.rpcUrl;
	const service = await InstalledService.create(folder, [honest], databaseUrl);
	service.environment.RPC_URL = liars.map(({ url }) => url).join(',');
	const payers = await service.addPayers(PAYERS);
	await Promise.all(payers.map(({ address }) => network.fund(address)));
	const victim = new Victim(service);
	const callers = new Callers(options);
	const began = performance.now();
	await victim.start();
	const calling = callers.run(service.url, payers);
	const random = randomNumbers(options.seed + 1);
	const every = options.writes / (options.kills + 1);
	for (let kill = 1; kill <= options.kills; kill++) {
		while (callers.finished < every * kill && callers.finished < options.writes)
			await setTimeout(20);
		await setTimeout(random() * 300);
		await victim.kill();
	}
	await calling;
	for (const liar of liars) liar.becomeHonest();
	const recorded = await recordedKeys(service);
	const seconds = Math.round((performance.now() - began) / 1000);
	await victim.stop();
	const { kills, startMs, memoryMb } = victim;
	return {
		...(await account(network, callers, recorded)),
		kills,
		memoryMb,
		seconds,
		requests: callers.requests,
		faults: liars.reduce((sum, { counts }) => sum + counts.faults, 0),
		startMs: startMs.toSorted((a, b) => a - b),
	};
}
