/** Keys that were taken out of use. */
import { DAY, secondsAgo } from './clock.mts';
import type { Database, Queries } from './tables.mts';
import { audit } from './users.mts';
import { NOTHING_YET, writeByKey, type StoredWrite } from './writes.mts';

/** Keys that a token may take out of use in a day, each of which is kept for ever. */
const MAX_FENCES = 10_000;

/** The token has taken too many keys out of use. Nothing was changed. */
export class TooManyFences extends Error {
	constructor() {
		super(`This access token has taken ${MAX_FENCES} keys out of use in 24 hours`);
	}
}

async function assertFewFences(transaction: Queries, tokenId: string): Promise<void> {
	const since = await secondsAgo(transaction, DAY);
	const { count } = await transaction
		.selectFrom('writes')
		.select(({ fn }) => fn.countAll().as('count'))
		.where('token_id', '=', tokenId)
		.where('state', '=', 'void')
		.where('created_at', '>', since)
		.executeTakeFirstOrThrow();
	if (Number(count) > MAX_FENCES) throw new TooManyFences();
}

/**
 * Takes a key out of use, unless a write has it: afterwards it can never pay.
 *
 * @returns what has the key
 * @throws TooManyFences
 */
export async function fenceKey(
	db: Database,
	{
		userId,
		tokenId,
		walletId,
		key,
	}: {
		userId: string;
		tokenId: string | null;
		walletId: number;
		key: string;
	},
): Promise<StoredWrite> {
	return await db.transaction().execute(async (transaction) => {
		const id = crypto.randomUUID();
		// Waits for a commit under the same key that is under way.
		const inserted = await transaction
			.insertInto('writes')
			.values({
				id,
				user_id: userId,
				token_id: tokenId,
				key,
				wallet_id: walletId,
				fingerprint: null,
				nonce: null,
				to_address: '',
				data: '',
				value: '0',
				cost: '0',
				state: 'void',
				...NOTHING_YET,
				created_at: new Date().toISOString(),
			})
			.onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
			.executeTakeFirst();
		if (inserted.numInsertedOrUpdatedRows !== 0n) {
			if (tokenId !== null) await assertFewFences(transaction, tokenId);
			await audit(transaction, userId, 'key fenced', id);
		}
		const found = await writeByKey(transaction, userId, key);
		if (!found) throw new Error(`The key ${key} was lost`);
		return found;
	});
}
