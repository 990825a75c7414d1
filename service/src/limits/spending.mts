import { formatUnits } from 'ethers';
import type { AssetLimit, Limits } from '../schemas/limits.mts';
import { databaseTime } from '../store/clock.mts';
import { countedSpends, reservedSpend } from '../store/spends.mts';
import type { Queries, SpendRow } from '../store/tables.mts';
import type { Caller } from '../store/tokens.mts';
import { limitsOfToken } from '../store/tokens.mts';
import { lockWallet } from '../store/wallets.mts';
import { assetLimit, judge, type JudgedCall, type Spend } from './judge.mts';
import { LimitExceeded } from './limit-exceeded.mts';

const DAY_MS = 24 * 3_600_000;

/** A call of a token with limits, and the amounts that it counts. */
export interface CountedCall {
	tokenId: string;
	limits: Limits;
	spends: Spend[];
}

const sumOf = (rows: readonly Pick<SpendRow, 'amount'>[]): bigint =>
	rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

const inWords = (amount: bigint, { decimals, symbol }: AssetLimit): string =>
	`${formatUnits(amount, decimals).replace(/\.0$/, '')} ${symbol}`;

/** What is left of a limit per day; 0 if more counts than that, because gas cost more than was reserved. */
function leftOf(perDay: string, rows: readonly SpendRow[]): bigint {
	const left = BigInt(perDay) - sumOf(rows);
	return left < 0n ? 0n : left;
}

/**
 * Counts what the writes of access tokens spend, against the limits of the tokens. The day is counted by the database's
 * clock: two processes whose clocks differ would otherwise grant more than a day's limit.
 */
export class Spending {
	readonly #now: (() => number) | undefined;

	/** @param now the time to count by instead of the database's, in milliseconds since 1970 */
	constructor(now?: () => number) {
		this.#now = now;
	}

	/** The time by which limits are counted. */
	async now(db: Queries): Promise<Date> {
		return this.#now ? new Date(this.#now()) : await databaseTime(db);
	}

	/** The moment from which on the last 24 hours count. */
	async dayAgo(db: Queries): Promise<Date> {
		return new Date((await this.now(db)).getTime() - DAY_MS);
	}

	/** @returns what the call counts; undefined if the caller's token has no limits @throws LimitExceeded */
	count(
		{ user, tokenId, limits }: Caller,
		call: Omit<JudgedCall, 'from'>,
	): CountedCall | undefined {
		if (!limits || tokenId === undefined) return undefined;
		return { tokenId, limits, spends: judge(limits, { ...call, from: user.address }) };
	}

	/** The limits of a token, with what is left of each amount. */
	async withLeft(db: Queries, tokenId: string, limits: Limits): Promise<Limits> {
		if (!limits.amounts) return limits;
		const amounts: AssetLimit[] = [];
		for (const limit of limits.amounts) {
			const { asset, perDay } = limit;
			const rows = await this.#counted(db, tokenId, asset);
			amounts.push(perDay === undefined ? limit : { ...limit, left: `${leftOf(perDay, rows)}` });
		}
		return { ...limits, amounts };
	}

	/** @throws LimitExceeded if an amount is more than its limit, or than what is left of it */
	async assertLeft(db: Queries, { tokenId, limits, spends }: CountedCall): Promise<void> {
		for (const { asset, amount } of spends) {
			const limit = assetLimit(limits, asset);
			if (!limit) continue;
			const needs = `the call needs ${inWords(amount, limit)}${asset === 'native' ? ', gas included' : ''}`;
			const { perCall, perDay } = limit;
			if (perCall !== undefined && amount > BigInt(perCall)) {
				throw new LimitExceeded(
					`${needs}; the limit is ${inWords(BigInt(perCall), limit)} per call`,
				);
			}
			if (perDay === undefined) continue;
			const rows = await this.#counted(db, tokenId, asset);
			const left = leftOf(perDay, rows);
			if (amount <= left) continue;
			const rest = inWords(left, limit);
			const when = amount > BigInt(perDay) ? '' : `. ${freeAgain(rows, amount - left)}`;
			const most = inWords(BigInt(perDay), limit);
			throw new LimitExceeded(`${needs}; of ${most} in 24 hours, ${rest} are left${when}`);
		}
	}

	/**
	 * Reserves what a write counts, in the transaction that stores it, which holds the row of the wallet.
	 *
	 * @param write.cost what it costs at worst, in wei, with its value
	 * @throws LimitExceeded
	 */
	async reserve(
		transaction: Queries,
		{ tokenId, limits, spends }: CountedCall,
		write: { id: string; cost: string },
	): Promise<void> {
		const worst = spends.map((spend) =>
			spend.asset === 'native' ? { ...spend, amount: BigInt(write.cost) } : spend,
		);
		await this.assertLeft(transaction, { tokenId, limits, spends: worst });
		const at = (await this.now(transaction)).toISOString();
		const rows = worst
			.filter(({ asset }) => assetLimit(limits, asset))
			.map(({ asset, amount }): SpendRow => {
				return {
					write_id: write.id,
					token_id: tokenId,
					asset,
					amount: String(amount),
					state: 'reserved',
					at,
				};
			});
		if (rows.length > 0) await transaction.insertInto('spends').values(rows).execute();
	}

	/**
	 * Reserves a higher cost for a write whose fees are raised.
	 *
	 * @param cost in wei, with its value
	 * @returns whether the limits of its token allow that
	 */
	async raise(
		transaction: Queries,
		{ writeId, walletId, cost }: { writeId: string; walletId: number; cost: bigint },
	): Promise<boolean> {
		const reserved = await reservedSpend(transaction, writeId, 'native');
		if (!reserved || BigInt(reserved.amount) >= cost) return true;
		await lockWallet(transaction, walletId);
		const { token_id: tokenId } = reserved;
		const limit = assetLimit(await limitsOfToken(transaction, tokenId), 'native');
		const others = (await this.#counted(transaction, tokenId, 'native')).filter(
			({ write_id: id }) => id !== writeId,
		);
		const isWithin = (most: string | undefined, total: bigint) =>
			most === undefined || total <= BigInt(most);
		if (!isWithin(limit?.perCall, cost)) return false;
		if (!isWithin(limit?.perDay, sumOf(others) + cost)) return false;
		await transaction
			.updateTable('spends')
			.set({ amount: String(cost) })
			.where('write_id', '=', writeId)
			.where('asset', '=', 'native')
			.where('state', '=', 'reserved')
			.execute();
		return true;
	}

	async #counted(db: Queries, tokenId: string, asset: string): Promise<SpendRow[]> {
		return await countedSpends(db, tokenId, asset, await this.dayAgo(db));
	}
}

/** When an amount is free again. @param rows what counts, the oldest first, then what is reserved */
function freeAgain(rows: readonly SpendRow[], missing: bigint): string {
	let freed = 0n;
	for (const { amount, at, state } of rows) {
		if (state === 'reserved') break;
		freed += BigInt(amount);
		if (freed < missing) continue;
		return `Enough is left again at ${new Date(Date.parse(at) + DAY_MS).toISOString()}`;
	}
	return 'Enough is left again 24 hours after the open writes are final';
}
