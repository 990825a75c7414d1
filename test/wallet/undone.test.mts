/** Transfers of a write whose block was undone: they are listed as long as the chain has them. */
import { markUnmined } from '../../service/src/store/open-writes.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import { createToken } from '../../service/src/store/tokens.mts';
import { addUser } from '../../service/src/store/users.mts';
import { fenceKey } from '../../service/src/store/fences.mts';
import { Resources } from '../support/resources.mts';
import { DATABASES, postgresUrl } from './support/network-and-service.mts';

const HASH = `0x${'a'.repeat(64)}`;
const ADDRESS = `0x${'1'.repeat(40)}`;

describe.each(DATABASES)('on %s', (kind) => {
	test.each([
		['the undone block', 'old', false, 0, null],
		['a block that replaced it with the same transaction', 'new', false, 1, null],
		['the block, of which it is in doubt whether it was undone', 'old', true, 1, 5],
	])('the history has read %s', async (_what, hash, isInDoubt, left, block) => {
		await using resources = new Resources();
		const db = await openDatabase(kind === 'sqlite' ? ':memory:' : await postgresUrl(resources));
		await resources.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
		const user = { id: 'LOCAL-anna', provider: 'LOCAL', username: 'anna', email: null };
		const { index: walletId } = await addUser(db, user, async () => ADDRESS);
		const { id: tokenId } = await createToken(db, user.id, { scopes: ['write'] });
		const place = { userId: user.id, tokenId, walletId, key: 'key' };
		const { id } = (await fenceKey(db, place)).write;
		const call = { nonce: 0, fingerprint: 'x', to_address: ADDRESS };
		const mined = { block_number: 5, block_hash: 'old', mined_hash: HASH, status: 1 };
		await db
			.updateTable('writes')
			.set({ ...call, ...mined, state: 'mined' })
			.where('id', '=', id)
			.execute();
		await db.insertInto('blocks').values({ number: 5, hash }).execute();
		const log = { hash: HASH, log_index: 0, part: 0, block: 5, tx_index: 0, time: 0 };
		const moved = {
			wallet_id: walletId,
			standard: 20,
			sent: 0,
			party: ADDRESS,
			token: ADDRESS,
			value: '1',
		};
		await db
			.insertInto('transfers')
			.values({ ...log, ...moved })
			.execute();
		const other = { id, hash: HASH, blockNumber: 5, blockHash: 'other' };
		expect(await markUnmined(db, other, isInDoubt)).toBe(false);
		expect(await markUnmined(db, { ...other, blockHash: 'old' }, isInDoubt)).toBe(true);
		expect(await db.selectFrom('transfers').selectAll().execute()).toHaveLength(left);
		expect(await db.selectFrom('writes').select(['state', 'block_number']).execute()).toEqual([
			{ state: 'accepted', block_number: block },
		]);
	});
});
