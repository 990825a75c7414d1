/** Writes that are under way while a further attempt of their execution begins: each is listed, or never sent. */
import { beginAttempt, OtherUser } from '../../service/src/store/executions.mts';
import { Superseded } from '../../service/src/writes/failures.mts';
import { inTests, useResources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { gate, HeldWrites, NO_HOLDS } from './support/held-writes.mts';
import { DATABASES } from './support/network-and-service.mts';

const ROUNDS = 100;

describe.each(DATABASES)('on %s', (kind) => {
	const resources = useResources();
	const held = inTests(beforeAll, async () => await HeldWrites.open(resources, kind));
	const rounds = Array.from({ length: ROUNDS }, (_unused, round) => round);
	afterEach(() => void (held().holds = NO_HOLDS));
	const begun = (writes: string[]) => ({ attempt: 1, keys: writes });

	test('a write that is signed, but not stored, is refused and not sent', async () => {
		const anna = held();
		const before = [await anna.keys(), anna.sent.length];
		for (const round of rounds) {
			const { reached, open, pass } = gate();
			anna.holds = { ...NO_HOLDS, signed: pass };
			const submitted = anna.submit(`signed ${round}`, `signed ${round}`);
			const refused = expect(submitted).rejects.toThrow(Superseded);
			await reached;
			expect(await anna.begin(`signed ${round}`)).toEqual(begun([]));
			open();
			await refused;
		}
		expect([await anna.keys(), anna.sent.length]).toEqual(before);
	});

	test('a write that is stored, but not sent, is listed and sent', async () => {
		const anna = held();
		for (const round of rounds) {
			const { reached, open, pass } = gate();
			anna.holds = { ...NO_HOLDS, stored: pass };
			const submitted = anna.submit(`stored ${round}`, `stored ${round}`);
			await reached;
			expect(await anna.begin(`stored ${round}`)).toEqual(begun([`stored ${round}`]));
			open();
			expect(anna.sent).toContain((await submitted).attempt.hash);
		}
	});

	test('without a hold, each write is either listed or refused', async () => {
		const anna = held();
		const ends = new Set<string>();
		for (const round of rounds) {
			const sent = anna.sent.length;
			// The attempt begins a little later in each round, so that it meets each step of the write.
			const begin = async () => {
				for (let turn = 0; turn < round; turn++) await new Promise(setImmediate);
				return await anna.begin(`free ${round}`);
			};
			const [submitted, { keys }] = await Promise.all([
				anna.submit(`free ${round}`, `free ${round}`).catch((error: unknown) => error),
				begin(),
			]);
			if (submitted instanceof Superseded) {
				expect(keys).toEqual([]);
				expect(anna.sent).toHaveLength(sent);
			} else {
				expect(submitted).toMatchObject({ isReplayed: false });
				expect(keys).toEqual([`free ${round}`]);
				expect(anna.sent).toHaveLength(sent + 1);
			}
			ends.add(submitted instanceof Superseded ? 'refused' : 'listed');
		}
		expect([...ends].sort()).toEqual(['listed', 'refused']);
	});

	/** Waits until one transaction waits for another; SQLite has them one after the other. */
	async function untilWaiting() {
		if (kind === 'sqlite') return;
		const locks = held().db.withTables<{ pg_locks: { granted: boolean } }>().selectFrom('pg_locks');
		await until(
			async () => (await locks.selectAll().where('granted', '=', false).execute()).length > 0,
		);
	}

	test('an attempt waits for a write that is being stored, and lists it', async () => {
		const anna = held();
		const { reached, open, pass } = gate();
		anna.holds = { ...NO_HOLDS, storing: pass };
		const submitted = anna.submit('storing', 'storing');
		await reached;
		const attempt = anna.begin('storing');
		await untilWaiting();
		open();
		expect(await attempt).toEqual(begun(['storing']));
		expect(anna.sent).toContain((await submitted).attempt.hash);
	});

	test("another user's attempt waits for a write that is being stored, and does not begin", async () => {
		const anna = held();
		const { reached, open, pass } = gate();
		anna.holds = { ...NO_HOLDS, storing: pass };
		const submitted = anna.submit('of-anna', 'of-anna');
		await reached;
		const other = {
			userId: 'other',
			tokenId: null,
			walletId: 0,
			node: 'node',
			execution: 'of-anna',
		};
		const refused = expect(beginAttempt(anna.db, other)).rejects.toThrow(OtherUser);
		await untilWaiting();
		open();
		await refused;
		expect(anna.sent).toContain((await submitted).attempt.hash);
	});

	test('a write waits for an attempt that begins, and is refused', async () => {
		const anna = held();
		const signed = gate();
		anna.holds = { ...NO_HOLDS, signed: signed.pass };
		const submitted = anna.submit('waiting', 'waiting');
		const refused = expect(submitted).rejects.toThrow(Superseded);
		await signed.reached;
		const { reached, open, pass } = gate();
		const { id: userId, wallet_id: walletId } = anna.caller.user;
		const of = { userId, tokenId: null, walletId, node: 'node', execution: 'waiting' };
		const attempt = beginAttempt(anna.db, of, pass);
		await reached;
		signed.open();
		await untilWaiting();
		open();
		expect(await attempt).toEqual({ attempt: 1, writes: [] });
		await refused;
	});
});
