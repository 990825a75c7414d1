/** Lists of writes by their labels. */
import { toBeHex } from 'ethers';
import { DATABASES } from './support/network-and-service.mts';
import { keysOf, NODE, useLabelled } from './support/labelled.mts';

const OTHER_USER = { status: 409, data: { code: 'other_user' } };
const SUPERSEDED = { status: 412, data: { code: 'write_superseded' } };
const TOO_LONG = { status: 422, data: { code: 'list_too_long' } };

describe.each(DATABASES)('on %s', (kind) => {
	const running = useLabelled(kind);

	test('a list has each write of the execution as it answers, with key, labels and state', async () => {
		const { anna } = running();
		const labels = { 'Write-Place': '0/7:231:3f', 'Write-Call': 'call' };
		const first = await anna.put('first', 1, 'listed', labels);
		const second = await anna.put('second', 2, 'listed');
		await anna.put('elsewhere', 3, 'another');
		await anna.putWith('unlabelled', 4, {});
		await anna.untilDone(first.data.hash);
		await anna.untilDone(second.data.hash);
		const { status, data } = await anna.begin('listed');
		const answers = await Promise.all(
			['first', 'second'].map(async (key) => (await anna.get(key)).data),
		);
		const own = { node: NODE, execution: 'listed', state: 'SUCCESS' };
		expect({ status, data }).toEqual({
			status: 200,
			data: {
				attempt: 1,
				writes: [
					{ ...answers[0], ...own, key: 'first', place: '0/7:231:3f', call: 'call' },
					{ ...answers[1], ...own, key: 'second' },
				],
			},
		});
		expect(keysOf(await anna.begin('listed'))).toEqual(['first', 'second']);
	});

	test('another user sees none of it, begins no attempt of it, and disturbs none', async () => {
		const { anna, other } = running();
		await anna.put('private', 7, 'private', { 'Write-Call': 'private' });
		expect(await other.begin('private')).toMatchObject(OTHER_USER);
		expect((await other.equal('private')).data).toEqual({ writes: [] });
		expect((await anna.put('private 2', 8, 'private')).status).toBe(200);
		expect((await anna.begin('private')).data.attempt).toBe(1);
		expect(keysOf(await anna.begin('private'))).toEqual(['private', 'private 2']);
	});

	test('what two users have sent is begun again by neither', async () => {
		const { anna, other } = running();
		await anna.put('of-both', 9, 'of-both');
		await other.put('of-both', 9, 'of-both');
		for (const user of [anna, other]) {
			expect(await user.begin('of-both')).toMatchObject(OTHER_USER);
			expect((await user.put('of-both-2', 9, 'of-both')).status).toBe(200);
		}
	});

	test('a write that one user has on its way is refused once another has begun an attempt', async () => {
		const { anna, other } = running();
		expect((await other.begin('on-its-way')).data).toEqual({ attempt: 1, writes: [] });
		expect(await anna.put('on-its-way', 9, 'on-its-way')).toMatchObject(SUPERSEDED);
		const own = await other.put('on-its-way', 9, 'on-its-way', { 'Write-Attempt': '1' });
		expect(own.status).toBe(200);
	});

	test.each([
		['SUCCESS', { state: 'final', status: 1 }],
		['REVERTED', { state: 'final', status: 0, revert_reason: 'no' }],
		['CANCELLED', { state: 'cancelled', status: 1, mined_hash: `0x${'0'.repeat(64)}` }],
		['FOREIGN', { state: 'foreign', mined_hash: null }],
	] as const)('a write that is %s is listed as such, and with its answer', async (state, row) => {
		const { anna, db } = running();
		const { hash } = (await anna.put(state, 10 + state.length, state)).data;
		await anna.untilDone(hash);
		await db.updateTable('writes').set(row).where('key', '=', state).execute();
		const [listed] = (await anna.begin(state)).data.writes;
		const { data: answer } = await anna.get(state);
		expect(listed).toEqual({ ...answer, key: state, node: NODE, execution: state, state });
		expect(await anna.became(hash)).toBe(state);
	});

	test('equal calls of a node are listed, the newest first, by the time of the database', async () => {
		const { anna, db } = running();
		await anna.put('older', 30, 'one', { 'Write-Call': 'equal' });
		await anna.put('newer', 31, 'two', { 'Write-Call': 'equal' });
		await anna.put('different', 32, 'two', { 'Write-Call': 'different' });
		const { status, data } = await anna.equal('equal');
		const own = { key: 'newer', node: NODE, execution: 'two', call: 'equal' };
		const state: unknown = expect.any(String);
		expect(status).toBe(200);
		expect(data.writes[0]).toEqual({ ...(await anna.get('newer')).data, ...own, state });
		expect(keysOf({ data })).toEqual(['newer', 'older']);
		const elsewhere = { node: 'elsewhere', call: 'equal', within: 600 };
		expect((await anna.client.get('/writes', { params: elsewhere })).data).toEqual({ writes: [] });
		const id = db.selectFrom('writes').select('id').where('key', '=', 'older');
		const at = new Date(Date.now() - 700_000).toISOString();
		await db.updateTable('labels').set({ at }).where('write_id', '=', id).execute();
		expect(keysOf(await anna.equal('equal', 600))).toEqual(['newer']);
		expect(keysOf(await anna.equal('equal', 800))).toEqual(['newer', 'older']);
	});

	test.each([
		[{ call: 'a', within: 1 }, 'node'],
		[{ node: 'a', within: 1 }, 'call'],
		[{ node: 'a', call: 'a' }, 'within'],
		[{ node: 'a', call: 'a', within: 0 }, 'within'],
		[{ node: 'a', call: 'a', within: '1e3' }, 'within'],
		[{ node: 'a', call: 'a', within: 10_000_000 }, 'within'],
		[{ node: 'a', call: 'a,b', within: 1 }, 'call'],
		[{ node: 'a', call: ['a', 'b'], within: 1 }, 'call'],
	])('a list of %j is refused', async (params, field) => {
		const paramsSerializer = { indexes: null };
		const answer = await running().anna.client.get('/writes', { params, paramsSerializer });
		expect(answer).toMatchObject({ status: 400, data: { field } });
	});

	test('a list that would be too large is an error, and begins no attempt', async () => {
		const { anna, db } = running();
		await anna.put('large', 40, 'large', { 'Write-Call': 'large' });
		const { id } = await db
			.selectFrom('writes')
			.select('id')
			.where('key', '=', 'large')
			.executeTakeFirstOrThrow();
		const attempts = db.selectFrom('attempts').selectAll().where('write_id', '=', id);
		const { raw } = await attempts.executeTakeFirstOrThrow();
		const rewrite = async (bytes: string) =>
			await db.updateTable('attempts').set({ raw: bytes }).where('write_id', '=', id).execute();
		await rewrite('f'.repeat(20_000_001));
		expect(await anna.begin('large')).toMatchObject(TOO_LONG);
		expect(await anna.equal('large')).toMatchObject(TOO_LONG);
		await rewrite(raw);
		expect((await anna.begin('large')).data).toMatchObject({ attempt: 1, writes: [{}] });
	});

	test('10,000 writes are listed, one more is an error', async () => {
		const { anna, db } = running();
		await anna.put('many', 41, 'many');
		const write = await db
			.selectFrom('writes')
			.selectAll()
			.where('key', '=', 'many')
			.executeTakeFirstOrThrow();
		const attempt = await db
			.selectFrom('attempts')
			.selectAll()
			.where('write_id', '=', write.id)
			.executeTakeFirstOrThrow();
		const add = async (from: number, to: number) => {
			const ids = Array.from({ length: to - from }, (_unused, index) => `many ${from + index}`);
			const labels = { user_id: write.user_id, node: NODE, execution: 'many' };
			const rest = { place: null, call: null, at: write.created_at };
			// The service does not follow what is final.
			const final = { ...write, state: 'final', final_at: write.created_at } as const;
			await db
				.insertInto('writes')
				.values(
					ids.map((id, index) => ({ ...final, id, key: id, nonce: 1_000_000 + from + index })),
				)
				.execute();
			await db
				.insertInto('attempts')
				.values(
					ids.map((id, index) => ({ ...attempt, write_id: id, hash: toBeHex(from + index, 32) })),
				)
				.execute();
			await db
				.insertInto('labels')
				.values(ids.map((id) => ({ write_id: id, ...labels, ...rest })))
				.execute();
		};
		for (let from = 1; from < 10_000; from += 1_000)
			await add(from, Math.min(from + 1_000, 10_000));
		const { status, data } = await anna.begin('many');
		expect([status, data.writes.length]).toEqual([200, 10_000]);
		await add(10_000, 10_001);
		expect(await anna.begin('many')).toMatchObject(TOO_LONG);
	});
});
