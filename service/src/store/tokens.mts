import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { readLimits, type Limits } from '../schemas/limits.mts';
import { audit, userById, withWallet, type User } from './users.mts';
import type { Database, Queries, TokenRow } from './tables.mts';

export type Scope = 'read' | 'write' | 'operator';

/** The user of an access token, and what the token allows. */
export interface Caller {
	user: User;
	/** undefined for a token that is not in the store. */
	tokenId?: string;
	scopes: readonly string[];
	/** undefined for a token without limits. */
	limits?: Limits;
}

/** Finds the caller with an access token; undefined if it does not recognise the token. */
export type TokenVerifier = (token: string) => Promise<Caller | undefined>;

const PREFIX_LENGTH = 10;

/** A random token; its last characters are a checksum, by which scanners for leaked secrets recognise it. */
function newToken(): string {
	const secret = `wsp_${randomBytes(32).toString('base64url')}`;
	return secret + crc32(secret).toString(36).padStart(7, '0');
}

// The hash needs no salt, and no slow function: a token has 256 random bits. Looking it up takes equally long for all tokens.
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Creates an access token.
 *
 * @param options.token the token itself; random unless it is public test material
 * @returns the token, which is not kept, and its ID
 * @throws Error if there is no such user
 */
export async function createToken(
	db: Database,
	userId: string,
	options: {
		scopes: readonly Scope[];
		expiresAt?: Date | undefined;
		token?: string;
		limits?: Limits | undefined;
	},
): Promise<{ id: string; token: string }> {
	const { scopes, expiresAt, limits, token = newToken() } = options;
	const id = randomUUID();
	await db.transaction().execute(async (transaction) => {
		if (!(await userById(transaction, userId))) throw new Error(`There is no user ${userId}`);
		await transaction
			.insertInto('tokens')
			.values({
				id,
				user_id: userId,
				sha256: hashOf(token),
				prefix: token.slice(0, PREFIX_LENGTH),
				scopes: scopes.join(' '),
				created_at: new Date().toISOString(),
				expires_at: expiresAt?.toISOString() ?? null,
				revoked_at: null,
				limits: limits === undefined ? null : JSON.stringify(limits),
			})
			.execute();
		await audit(transaction, 'operator', 'token created', id);
	});
	return { id, token };
}

/** Keeps a token that nobody has and that opens nothing: writes of the service itself count against its limits. */
export async function keepOwnToken(
	db: Database,
	id: string,
	userId: string,
	limits: Limits,
): Promise<void> {
	const now = new Date().toISOString();
	const changing = { user_id: userId, limits: JSON.stringify(limits) };
	const secret = { sha256: hashOf(newToken()), prefix: '', scopes: '' };
	await db
		.insertInto('tokens')
		.values({ id, ...changing, ...secret, created_at: now, expires_at: null, revoked_at: now })
		.onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
		.execute();
}

/** The caller with an access token; undefined if it is unknown, expired or revoked, or the user is disabled. */
export async function callerWith(db: Queries, token: string): Promise<Caller | undefined> {
	const found = await withWallet(db)
		.innerJoin('tokens', 'tokens.user_id', 'users.id')
		.select(['tokens.id as token_id', 'tokens.scopes', 'tokens.expires_at', 'tokens.limits'])
		.where('tokens.sha256', '=', hashOf(token))
		.where('tokens.revoked_at', 'is', null)
		.where('users.disabled_at', 'is', null)
		.executeTakeFirst();
	if (!found) return undefined;
	const { token_id: tokenId, scopes, expires_at: end, limits, ...user } = found;
	if (end !== null && Date.parse(end) <= Date.now()) return undefined;
	const caller = { user, tokenId, scopes: scopes.split(' ') };
	return limits === null ? caller : { ...caller, limits: readLimits(limits) };
}

/** The limits of a token; none for one without. */
export async function limitsOfToken(db: Queries, id: string): Promise<Limits> {
	const all = db.selectFrom('tokens').select('limits').where('id', '=', id);
	const { limits } = await all.executeTakeFirstOrThrow();
	return limits === null ? {} : readLimits(limits);
}

export async function listTokens(db: Queries, userId?: string): Promise<TokenRow[]> {
	const all = db.selectFrom('tokens').selectAll().orderBy('created_at');
	return await (userId === undefined ? all : all.where('user_id', '=', userId)).execute();
}

/** @returns whether there was such a token */
export async function revokeToken(db: Database, id: string): Promise<boolean> {
	return await db.transaction().execute(async (transaction) => {
		const { numUpdatedRows } = await transaction
			.updateTable('tokens')
			.set({ revoked_at: new Date().toISOString() })
			.where('id', '=', id)
			.where('revoked_at', 'is', null)
			.executeTakeFirst();
		if (numUpdatedRows === 0n) return false;
		await audit(transaction, 'operator', 'token revoked', id);
		return true;
	});
}
