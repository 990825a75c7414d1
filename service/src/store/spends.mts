/** What writes count against the limits of the token that submitted them. */
import type { Queries, SpendRow } from './tables.mts';

/**
 * What counts against the limit of an asset: what was settled since a moment, the oldest first, and then all reservations,
 * however old.
 */
export async function countedSpends(
	db: Queries,
	tokenId: string,
	asset: string,
	since: Date,
): Promise<SpendRow[]> {
	// In one statement: between two, a reservation could be settled and be in neither.
	return await db
		.selectFrom('spends')
		.selectAll()
		.where('token_id', '=', tokenId)
		.where('asset', '=', asset)
		.where(({ eb, or, and }) =>
			or([
				eb('state', '=', 'reserved'),
				and([eb('state', '=', 'settled'), eb('at', '>', since.toISOString())]),
			]),
		)
		.orderBy('state', 'desc')
		.orderBy('at')
		.execute();
}

/** The writes of a token to one address that count native coin. */
export interface EarlierWrites {
	address: string;
	count: number;
	/** Whether one of them is open, or was executed later than a moment; one without effect for good does not count. */
	isRecent: boolean;
}

/** The writes of a token that count native coin, by address. */
export async function earlierWrites(
	db: Queries,
	tokenId: string,
	since: Date,
): Promise<EarlierWrites[]> {
	const rows = await db
		.selectFrom('spends')
		.innerJoin('writes', 'writes.id', 'spends.write_id')
		.where('spends.token_id', '=', tokenId)
		.where('asset', '=', 'native')
		.groupBy('to_address')
		.select(({ fn, eb, or, and }) => [
			'to_address as address',
			fn.countAll().as('count'),
			fn
				.sum(
					eb
						.case()
						.when(
							or([
								eb('final_at', 'is', null),
								and([eb('writes.state', '=', 'final'), eb('final_at', '>', since.toISOString())]),
							]),
						)
						.then(1)
						.else(0)
						.end(),
				)
				.as('recent'),
		])
		.execute();
	return rows.map(({ address, count, recent }) => {
		return { address, count: Number(count), isRecent: Number(recent) > 0 };
	});
}

/** The reservation of an asset for a write. */
export async function reservedSpend(
	db: Queries,
	writeId: string,
	asset: string,
): Promise<SpendRow | undefined> {
	return await db
		.selectFrom('spends')
		.selectAll()
		.where('write_id', '=', writeId)
		.where('asset', '=', asset)
		.where('state', '=', 'reserved')
		.executeTakeFirst();
}

/** What a write has spent for good. */
export interface Settlement {
	/** Whether its call took effect; otherwise it moved no tokens. */
	isDone: boolean;
	/** Native coin with gas, in wei; undefined if only the reservation is known. */
	native: bigint | undefined;
	/** By the clock of the database. */
	at: Date;
}

/** Reserves again what a write that was recorded as ended had reserved. */
export async function reserveAgain(db: Queries, writeId: string): Promise<void> {
	await db
		.updateTable('spends')
		.set({ state: 'reserved' })
		.where('write_id', '=', writeId)
		.where('state', '=', 'released')
		.execute();
}

/** Replaces the reservations of a write by what it has spent; by nothing if undefined. */
export async function settleSpends(
	db: Queries,
	writeId: string,
	settlement?: Settlement,
): Promise<void> {
	const reserved = db
		.updateTable('spends')
		.where('write_id', '=', writeId)
		.where('state', '=', 'reserved');
	if (settlement) {
		const at = settlement.at.toISOString();
		const real = settlement.native === undefined ? {} : { amount: String(settlement.native) };
		await reserved
			.where('asset', '=', 'native')
			.set({ state: 'settled', ...real, at })
			.execute();
		if (settlement.isDone) await reserved.set({ state: 'settled', at }).execute();
	}
	await reserved.set({ state: 'released' }).execute();
}
