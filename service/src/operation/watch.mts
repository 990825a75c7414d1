import { formatEther, parseEther } from 'ethers';
import { Remembered } from '../chain/remembered.mts';
import type { GasStationSettings } from '../config/settings.mts';
import type { History } from '../history/history.mts';
import type { Signer } from '../keys/signer.mts';
import type { EndpointState } from '../rpc/endpoint.mts';
import { MAX_LAG } from '../rpc/heads.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { Network } from '../rpc/networks.mts';
import { openOverview, ownedWallets, tryWriting } from '../store/overview.mts';
import type { OpenWrites, OwnedWallet } from '../store/overview.mts';
import type { Database } from '../store/tables.mts';
import type { OpenQuestions } from '../writes/open-questions.mts';
import { Balances, type Agreeing } from './balances.mts';

/** A wallet with its native coin. */
export interface WatchedWallet extends OwnedWallet {
	/** In wei; undefined if no endpoint reports it, or they disagree. */
	balance: bigint | undefined;
	/** Whether it is in use and has less than the alarm. */
	isLow: boolean;
}

/** A condition that somebody should look at. */
export interface Problem {
	/** Stable name. */
	code: string;
	text: string;
}

/** How the service is, at one moment. */
export interface ServiceState {
	at: Date;
	network: Network;
	chainId: number;
	head: bigint;
	endpoints: EndpointState[];
	open: OpenWrites;
	/** Age of the oldest write that is in no block, in seconds; 0 if there is none. */
	oldestOpen: number;
	wallets: WatchedWallet[];
	problems: Problem[];
}

export interface WatchPorts {
	db: Database;
	endpoints: Pick<Endpoints, 'identity' | 'head' | 'states'> & Agreeing;
	/** undefined where the keys are not needed. */
	signer?: Signer;
	network: Network;
	/** Native coin below which a wallet in use is reported, in wei; 0 for never. */
	lowGas: bigint;
	gasStation?: GasStationSettings | undefined;
	/** What the loops leave open; undefined where none run. */
	questions?: Pick<OpenQuestions, 'olderThan'>;
	/** undefined where none is read. */
	history?: Pick<History, 'state'>;
}

/** Maximum age of a state, and age after which a balance is read again, in milliseconds: anybody may ask. */
const STATE_MS = 5_000;
const BALANCE_MS = 60_000;

/** Ages at which a problem is reported, in seconds: of the newest block, and of a write that is in no block. */
const OLD_HEAD = 900;
const OLD_WRITE = 900;

/** Age at which the history is reported as old, in seconds. */
const OLD_HISTORY = 60;

/** Time for which it may be open what became of a write, in milliseconds: endpoints follow each other within seconds. */
const OPEN_MS = 10_000;

/** The open writes, if the database does not answer. */
const NOTHING: OpenWrites = {
	counts: { signed: 0, accepted: 0, mined: 0 },
	oldest: [],
	waiting: { count: 0, reason: '' },
};

const minutes = (seconds: number) => `${Math.floor(seconds / 60)} minutes`;
const some = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Reads how the service is. */
export class Watch {
	readonly #ports: WatchPorts;
	readonly #states: Remembered<ServiceState>;
	readonly #balances: Balances;

	constructor(ports: WatchPorts) {
		this.#ports = ports;
		this.#states = new Remembered(() => this.#read(), { count: 1, ms: STATE_MS });
		this.#balances = new Balances(ports.endpoints, BALANCE_MS);
	}

	/** How the service is, at most a few seconds ago. @throws Error if the database does not answer */
	async read(): Promise<ServiceState> {
		return await this.#states.get('');
	}

	async #read(): Promise<ServiceState> {
		const { db, endpoints, network } = this.#ports;
		const isWritable = await tryWriting(db).then(
			() => true,
			() => false,
		);
		const read = async () => ({ open: await openOverview(db), owned: await ownedWallets(db) });
		const { open, owned } = await read().catch((error: unknown) => {
			// A database that does not answer is a problem to report, too.
			if (isWritable) throw error;
			return { open: NOTHING, owned: [] };
		});
		if (endpoints.states.some(({ isAnswering }) => isAnswering)) {
			await this.#balances.refresh(owned.map(({ address }) => address));
		}
		const wallets = owned.map((wallet) => this.#withBalance(wallet));
		const [oldest] = open.oldest;
		const age = oldest ? (Date.now() - Date.parse(oldest.created_at)) / 1_000 : 0;
		const state = {
			at: new Date(),
			network,
			chainId: endpoints.identity.chainId,
			wallets,
			open,
			head: endpoints.head,
			endpoints: endpoints.states,
			oldestOpen: Math.floor(age),
		};
		const problems = [...this.#problemsOf(state), ...(await this.#locked(owned))];
		if (!isWritable) {
			const text = 'The database cannot be written; is the disk full?';
			problems.unshift({ code: 'database_not_writable', text });
		}
		return { ...state, problems };
	}

	#withBalance(wallet: OwnedWallet): WatchedWallet {
		const balance = this.#balances.of(wallet.address);
		// A wallet that has never sent anything may be meant to be empty.
		const isUsed = wallet.next_nonce > 0 && wallet.disabled_at === null;
		const isLow = isUsed && balance !== undefined && balance < this.#ports.lowGas;
		return { ...wallet, balance, isLow };
	}

	async #locked([first]: OwnedWallet[]): Promise<Problem[]> {
		const { signer } = this.#ports;
		if (!signer || !first) return [];
		const address = await signer.addressOf(first.source).catch(() => undefined);
		if (address === first.address) return [];
		return [{ code: 'keys_locked', text: 'The signer does not have the keys of the wallets' }];
	}

	#problemsOf(state: Omit<ServiceState, 'problems'>): Problem[] {
		const { endpoints, head, oldestOpen, wallets, network, open } = state;
		const problems: Problem[] = [];
		const report = (code: string, text: string) => problems.push({ code, text });
		const ahead = endpoints.find((endpoint) => endpoint.head === head);
		for (const { name, isAnswering, head: own, foreign, isLacking } of endpoints) {
			if (foreign !== undefined) report('endpoint_foreign', `${name} belongs to ${foreign}`);
			else if (!isAnswering) report('endpoint_silent', `The endpoint ${name} does not answer`);
			else if (isLacking) report('endpoint_lacking', `${name} lacks what another endpoint has`);
			if (foreign === undefined && isAnswering && head - own > MAX_LAG) {
				const names = `${ahead?.name} and ${name}`;
				report('endpoints_differ', `${names} differ by ${head - own} blocks`);
			}
		}
		const age = Math.min(...endpoints.map((endpoint) => endpoint.headAge));
		// A network of one's own may make blocks on demand only.
		const headAge = network.isKnown ? age : Math.min(age, oldestOpen);
		if (headAge >= OLD_HEAD) report('head_old', `There was no new block for ${minutes(headAge)}`);
		if (oldestOpen >= OLD_WRITE) {
			report('write_stuck', `A write has been in no block for ${minutes(oldestOpen)}`);
		}
		const [question] = this.#ports.questions?.olderThan(OPEN_MS) ?? [];
		if (question !== undefined) {
			report('write_open', `What became of a write is not certain: ${question}`);
		}
		const { count: waiting, reason } = open.waiting;
		if (waiting > 0) {
			report('giving_up_waits', `Giving up waits for ${some(waiting, 'write')}: ${reason}`);
		}
		const { unreadMs = 0, unconfirmed } = this.#ports.history?.state ?? {};
		if (unreadMs >= OLD_HISTORY * 1_000) {
			report('history_old', `The history was not read for ${minutes(unreadMs / 1_000)}`);
		}
		if (unconfirmed !== undefined) {
			const text = `Too few endpoints confirm the transfers in block ${unconfirmed}`;
			report('history_unconfirmed', text);
		}
		const closed = wallets.filter((wallet) => wallet.state === 'closed').length;
		if (closed > 0) report('wallet_closed', `Closed: ${some(closed, 'wallet')}`);
		const low = wallets.filter(({ isLow }) => isLow).length;
		if (low > 0) {
			const alarm = `${formatEther(this.#ports.lowGas)} ${network.symbol}`;
			report('gas_low', `Less than ${alarm} for gas: ${some(low, 'wallet')}`);
		}
		const { user, upTo = '0' } = this.#ports.gasStation ?? {};
		const station = wallets.find(({ userId }) => userId === user);
		if (station?.balance !== undefined && station.balance < parseEther(upTo)) {
			report('station_low', `The gas station has less than ${upTo} ${network.symbol}`);
		}
		return problems;
	}
}
