/** Transactions that change the same rows of PostgreSQL: one waits for the other, and none is aborted. */
import { Spending } from '../../service/src/limits/spending.mts';
import { commitAttempt } from '../../service/src/store/open-writes.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import { closeForForeign } from '../../service/src/store/wallets.mts';
import { createToken } from '../../service/src/store/tokens.mts';
import { addUser } from '../../service/src/store/users.mts';
import { commitWrite, UNMINED } from '../../service/src/store/writes.mts';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { postgresUrl } from './support/network-and-service.mts';

test('a wallet is closed while the fees of its write are raised', async () => {
	await using resources = new Resources();
	const db = await openDatabase(await postgresUrl(resources));
	await resources.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	const user = { id: 'LOCAL-anna', provider: 'LOCAL', username: 'anna', email: null };
	await addUser(db, user, async () => `0x${'1'.repeat(40)}`);
	const { id: walletId } = await db.selectFrom('wallets').select('id').executeTakeFirstOrThrow();
	const { id: tokenId } = await createToken(db, user.id, { scopes: ['write'] });
	const write = {
		id: 'write',
		user_id: user.id,
		token_id: tokenId,
		key: 'order',
		wallet_id: walletId,
		fingerprint: '',
		to_address: '',
		data: '0x',
		value: '0',
		cost: '7',
		nonce: 0,
		hash: 'first',
		raw: '',
	};
	const spending = new Spending();
	const counted = { tokenId, spends: [{ asset: 'native', amount: 7n }] };
	const native = { asset: 'native', kind: 'native', decimals: 18, symbol: 'ETH' } as const;
	await commitWrite(db, write, {
		maxOpen: 16,
		balance: 100n,
		reserve: async (transaction) =>
			await spending.reserve(transaction, { ...counted, limits: { amounts: [native] } }, write),
	});
	const now = new Date().toISOString();
	const times = { created_at: now, sent_at: now };
	const attempt = {
		hash: 'next',
		raw: '',
		write_id: 'write',
		no: 2,
		kind: 'call',
		...times,
	} as const;
	const reserved = Promise.withResolvers<undefined>();
	const other = Promise.withResolvers<undefined>();
	const raised = commitAttempt(db, attempt, { states: UNMINED, cost: '9' }, async (transaction) => {
		const isAllowed = await spending.raise(transaction, { writeId: 'write', walletId, cost: 9n });
		reserved.resolve(undefined);
		await other.promise;
		return isAllowed;
	});
	await reserved.promise;
	const closed = closeForForeign(db, write);
	const locks = db.withTables<{ pg_locks: { granted: boolean } }>().selectFrom('pg_locks');
	await until(
		async () => (await locks.selectAll().where('granted', '=', false).execute()).length > 0,
	);
	other.resolve(undefined);
	await Promise.all([raised, closed]);
	expect(await raised).toBe(true);
	expect(await db.selectFrom('writes').select(['state', 'cost']).execute()).toEqual([
		{ state: 'foreign', cost: '9' },
	]);
	expect(await db.selectFrom('wallets').select('state').execute()).toEqual([{ state: 'closed' }]);
	expect(await db.selectFrom('spends').select(['state', 'amount']).execute()).toEqual([
		{ state: 'released', amount: '9' },
	]);
});
