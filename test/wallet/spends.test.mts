/** What counts against a limit, while it is settled. */
import { openDatabase } from '../../service/src/store/open.mts';
import { countedSpends, settleSpends } from '../../service/src/store/spends.mts';
import type { SpendRow } from '../../service/src/store/tables.mts';
import { createToken } from '../../service/src/store/tokens.mts';
import { fenceKey } from '../../service/src/store/writes.mts';
import { addUser } from '../../service/src/store/users.mts';
import { useResources } from '../support/resources.mts';
import { DATABASES, postgresUrl } from './support/network-and-service.mts';

const ROUNDS = 200;
const BEGIN = new Date(0);

const resources = useResources();

test.each(DATABASES)('on %s, a spend counts at every moment of its settlement', async (kind) => {
	const db = await openDatabase(kind === 'sqlite' ? ':memory:' : await postgresUrl(resources));
	await resources.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	const user = { id: 'LOCAL-anna', provider: 'LOCAL', username: 'anna', email: null };
	await addUser(db, user, async () => `0x${'1'.repeat(40)}`);
	const { id: walletId } = await db.selectFrom('wallets').select('id').executeTakeFirstOrThrow();
	const { id: tokenId } = await createToken(db, user.id, { scopes: ['write'] });
	const place = { userId: user.id, tokenId, walletId, key: 'key' };
	const { id } = (await fenceKey(db, place)).write;
	const spend: SpendRow = {
		...{ write_id: id, token_id: tokenId, asset: 'native', amount: '7' },
		...{ state: 'reserved', at: BEGIN.toISOString() },
	};
	const counted: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		await db.deleteFrom('spends').execute();
		await db.insertInto('spends').values(spend).execute();
		const [rows] = await Promise.all([
			countedSpends(db, tokenId, 'native', BEGIN),
			settleSpends(db, id, { isDone: true, native: 7n, at: new Date() }),
		]);
		counted.push(rows.length);
	}
	expect(counted).toEqual(Array(ROUNDS).fill(1));
});
