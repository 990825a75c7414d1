import { parseEther } from 'ethers';
import type { GasStationSettings } from '../config/settings.mts';
import { bytes, quantity } from '../rpc/values.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { Network } from '../rpc/networks.mts';
import type { Spending } from '../limits/spending.mts';
import type { Limits } from '../schemas/limits.mts';
import { ownedWallets, type OwnedWallet } from '../store/overview.mts';
import { earlierWrites, type EarlierWrites } from '../store/spends.mts';
import type { Database } from '../store/tables.mts';
import { keepOwnToken } from '../store/tokens.mts';
import { userById } from '../store/users.mts';
import { costOf, openWrites } from '../store/writes.mts';
import { CallRefused, KeyReused } from '../writes/failures.mts';
import type { Writes } from '../writes/writes.mts';
import { Balances } from './balances.mts';

export interface GasStationPorts {
	db: Database;
	endpoints: Pick<Endpoints, 'agreed' | 'call'>;
	writes: Pick<Writes, 'submit'>;
	network: Pick<Network, 'symbol'>;
	log(problem: string, error: unknown): void;
	spending: Pick<Spending, 'dayAgo'>;
	/** Pause between two rounds, in milliseconds. */
	topUpEveryMs?: number | undefined;
}

const EVERY_MS = 60_000;

/** ID of the token whose limit is the budget. Nobody has the token. */
const TOKEN_ID = 'gas-station';

/**
 * Sends native coin from the wallet of a user to all wallets that have little, at most once in 24 hours to each, and within a
 * budget for all together. A top-up is a write like any other: it is stored before it is sent, under a key that follows
 * from the wallet's earlier top-ups, so that several processes and repeats after a crash submit the same one.
 */
export class GasStation {
	readonly #settings: GasStationSettings;
	readonly #ports: GasStationPorts;
	readonly #balances: Balances;
	#timer: NodeJS.Timeout | undefined;
	#round: Promise<void> = Promise.resolve();
	#isStopped = false;

	private constructor(settings: GasStationSettings, ports: GasStationPorts) {
		this.#settings = settings;
		this.#ports = ports;
		this.#balances = new Balances(ports.endpoints, ports.topUpEveryMs ?? EVERY_MS);
	}

	/** @throws Error on one line if there is no such user */
	static async open(settings: GasStationSettings, ports: GasStationPorts): Promise<GasStation> {
		const station = new GasStation(settings, ports);
		const { user } = settings;
		if (!(await userById(ports.db, user))) {
			throw new Error(`The setting "gasStation.user" is wrong: there is no user ${user}`);
		}
		await keepOwnToken(ports.db, TOKEN_ID, user, station.#limits);
		return station;
	}

	start(): void {
		this.#next(0);
	}

	async stop(): Promise<void> {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		await this.#round;
	}

	get #limits(): Limits {
		const perDay = String(parseEther(this.#settings.perDay));
		const { symbol } = this.#ports.network;
		return { amounts: [{ asset: 'native', kind: 'native', decimals: 18, symbol, perDay }] };
	}

	#next(ms: number): void {
		if (this.#isStopped) return;
		this.#timer = setTimeout(() => {
			this.#round = this.#run()
				.catch((error: unknown) => this.#ports.log('The gas station will try again', error))
				.then(() => this.#next(this.#ports.topUpEveryMs ?? EVERY_MS));
		}, ms);
	}

	async #run(): Promise<void> {
		const { db, spending } = this.#ports;
		const since = await spending.dayAgo(db);
		const earlier = new Map<string, EarlierWrites>();
		for (const one of await earlierWrites(db, TOKEN_ID, since)) earlier.set(one.address, one);
		const wallets = await ownedWallets(db);
		await this.#balances.refresh(wallets.map(({ address }) => address));
		for (const wallet of wallets) {
			const { address } = wallet;
			const { count, isRecent } = earlier.get(address) ?? { count: 0, isRecent: false };
			if (isRecent || this.#lackOf(wallet, this.#balances.of(address)) === 0n) continue;
			if (this.#isStopped || !(await this.#topUp(address, count + 1))) return;
		}
	}

	/** What a wallet gets, in wei; 0 if nothing. */
	#lackOf({ userId, state, disabled_at: end }: OwnedWallet, balance: bigint | undefined): bigint {
		const { user, below, upTo } = this.#settings;
		const isServed = state === 'open' && end === null && userId !== user;
		if (!isServed || balance === undefined || balance >= parseEther(below)) return 0n;
		return parseEther(upTo) - balance;
	}

	/** @returns whether others may follow; the write itself is logged like any other */
	async #topUp(address: string, no: number): Promise<boolean> {
		const { db, writes, endpoints } = this.#ports;
		// All is read again: the balance that is known may be old.
		const user = await userById(db, this.#settings.user);
		if (!user || user.disabled_at !== null) return false;
		const wallet = (await ownedWallets(db)).find((one) => one.address === address);
		const value = wallet ? this.#lackOf(wallet, await this.#balanceOf(address)) : 0n;
		const reserved = costOf(await openWrites(db, user.wallet_id));
		const left = (await this.#balanceOf(user.address)) - reserved;
		if (!wallet || value === 0n || left < value) return true;
		// The station pays for no code.
		if ((await endpoints.agreed(bytes, 'eth_getCode', [address, 'latest'])) !== '0x') return true;
		const caller = { user, tokenId: TOKEN_ID, scopes: [], limits: this.#limits };
		// No request can have such a key, which is not ASCII.
		const key = `gas·${wallet.userId}·${no}`;
		try {
			await writes.submit({ caller, key, call: { to: address, data: '0x', value }, called: '' });
			return true;
		} catch (error) {
			// The other process has submitted it with another amount, or this wallet cannot take it.
			return error instanceof KeyReused || error instanceof CallRefused;
		}
	}

	async #balanceOf(address: string): Promise<bigint> {
		return await this.#ports.endpoints.agreed(quantity, 'eth_getBalance', [address, 'latest']);
	}
}
