/** What counts against a limit, while it is settled. */
import { openDatabase } from '../../service/src/store/open.mts';
import { countedSpends, settleSpends, type Settlement } from '../../service/src/store/spends.mts';
import type { SpendRow } from '../../service/src/store/tables.mts';
import { createToken } from '../../service/src/store/tokens.mts';
import { fenceKey } from '../../service/src/store/fences.mts';
import { addUser } from '../../service/src/store/users.mts';
import { useResources } from '../support/resources.mts';
import { DATABASES, postgresUrl, type DatabaseKind } from './support/network-and-service.mts';

const ROUNDS = 200;
const BEGIN = new Date(0);
const TOKEN = `0x${'1'.repeat(40)}`;

const resources = useResources();

/** A database with a token and a write of it, which reserves native coin and a token. */
async function reserved(kind: DatabaseKind) {
	const db = await openDatabase(kind === 'sqlite' ? ':memory:' : await postgresUrl(resources));
	await resources.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	const user = { id: 'LOCAL-anna', provider: 'LOCAL', username: 'anna', email: null };
	await addUser(db, user, async () => `0x${'1'.repeat(40)}`);
	const { id: walletId } = await db.selectFrom('wallets').select('id').executeTakeFirstOrThrow();
	const { id: tokenId } = await createToken(db, user.id, { scopes: ['write'] });
	const place = { userId: user.id, tokenId, walletId, key: 'key' };
	const { id } = (await fenceKey(db, place)).write;
	const spends = ['native', TOKEN].map((asset): SpendRow => {
		const common = { write_id: id, token_id: tokenId, asset, at: BEGIN.toISOString() };
		return { ...common, amount: '7', state: 'reserved' };
	});
	const reserve = async () => {
		await db.deleteFrom('spends').execute();
		await db.insertInto('spends').values(spends).execute();
	};
	return { db, id, tokenId, reserve };
}

test.each(DATABASES)('on %s, a spend counts at every moment of its settlement', async (kind) => {
	const { db, id, tokenId, reserve } = await reserved(kind);
	const counted: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		await reserve();
		const [rows] = await Promise.all([
			countedSpends(db, tokenId, 'native', BEGIN),
			settleSpends(db, id, { isDone: true, native: 7n, at: new Date() }),
		]);
		counted.push(rows.length);
	}
	expect(counted).toEqual(Array(ROUNDS).fill(1));
});

const at = new Date();
test.each<[outcome: string, settlement: Settlement | undefined, coin: string[], token: string[]]>([
	['done', { isDone: true, native: 5n, at }, ['settled', '5'], ['settled', '7']],
	['reverted or cancelled', { isDone: false, native: 3n, at }, ['settled', '3'], ['released', '7']],
	[
		'of an unknown cost',
		{ isDone: true, native: undefined, at },
		['settled', '7'],
		['settled', '7'],
	],
	['signed elsewhere', undefined, ['released', '7'], ['released', '7']],
])('a write that is %s counts what it spent', async (_outcome, settlement, coin, token) => {
	const { db, id, reserve } = await reserved('sqlite');
	await reserve();
	await settleSpends(db, id, settlement);
	// What is settled does not change any more.
	await settleSpends(db, id);
	const rows = await db.selectFrom('spends').selectAll().orderBy('asset', 'desc').execute();
	expect(rows.map(({ state, amount }) => [state, amount])).toEqual([coin, token]);
});
