/** Writes with labels: what is refused, who lists which, and attempts of executions. */
import axios, { type AxiosInstance } from 'axios';
import { openDatabase } from '../../service/src/store/open.mts';
import type { Database } from '../../service/src/store/tables.mts';
import { addUser } from '../../service/src/store/users.mts';
import { createToken } from '../../service/src/store/tokens.mts';
import { LEDGER } from '../../tools/wallet/network.mts';
import { useResources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { DATABASES, useInstallation } from './support/network-and-service.mts';
import { payloadOf } from './support/payment.mts';

const LONGEST = '!'.repeat(127) + '~';
const LABELS = { 'Write-Node': LONGEST, 'Write-Execution': 'execution' };
const OTHERS = { 'Write-Place': '0/7:231:3f', 'Write-Call': 'call' };

const call = (number: number, more: object = {}) => ({
	...{ address: LEDGER, abi: 'pay(bytes32)', args: [payloadOf(number)] },
	...more,
});

describe.each(DATABASES)('on %s', (kind) => {
	const resources = useResources();
	const installed = useInstallation(kind);
	let client: AxiosInstance;
	let other: AxiosInstance;
	let db: Database;

	const clientWith = (token = '') =>
		axios.create({
			baseURL: `${installed().service.url}/v1`,
			headers: { authorization: `Bearer ${token}` },
			validateStatus: () => true,
		});
	const put = async (key: string, number: number, headers: Record<string, unknown>) =>
		await client.put(`/writes/${key}`, call(number), { headers: { ...headers } as never });
	const begin = async (execution: string, by = client) =>
		await by.post('/attempts', { node: LONGEST, execution });
	const list = async (name: string, within: unknown = 600, by = client) =>
		await by.get('/writes', { params: { node: LONGEST, call: name, within } });
	const became = async (hash: string) => (await client.get(`/transactions/${hash}`)).data.status;
	const untilDone = async (...hashes: string[]) => {
		await until(async () => {
			const states = await Promise.all(hashes.map(became));
			return states.every((state) => state === 'SUCCESS');
		});
	};
	const keysOf = ({ data }: { data: { writes: { key: string }[] } }) =>
		data.writes.map(({ key }) => key);

	beforeAll(async () => {
		const { service, payers, network } = installed();
		await resources.use(service.start());
		client = clientWith(payers[0]?.token);
		db = await openDatabase(service.database);
		await resources.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
		const user = { id: 'LOCAL-other', provider: 'LOCAL', username: 'other', email: null };
		const { address } = await addUser(db, user, async () => `0x${'1'.repeat(40)}`);
		await network.fund(address);
		other = clientWith((await createToken(db, user.id, { scopes: ['read', 'write'] })).token);
	});

	test('a list has each write of the execution as it answers, with key, labels and state', async () => {
		const headers = { ...LABELS, ...OTHERS, 'Write-Execution': 'listed' };
		const first = await put('first', 1, headers);
		expect(first).toMatchObject({ status: 200, data: { status: 'SUCCESS' } });
		const second = await put('second', 2, { ...LABELS, 'Write-Execution': 'listed' });
		await put('elsewhere', 3, LABELS);
		await client.put('/writes/unlabelled', call(4));
		await untilDone(first.data.hash, second.data.hash);
		const { status, data } = await begin('listed');
		const answers = await Promise.all(
			['first', 'second'].map(async (key) => (await client.get(`/writes/${key}`)).data),
		);
		const own = { node: LONGEST, execution: 'listed', state: 'SUCCESS' };
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
		expect(keysOf(await begin('listed'))).toEqual(['first', 'second']);
	});

	test('POST under a key takes labels, too', async () => {
		const headers = { ...LABELS, 'Write-Execution': 'posted', 'Idempotency-Key': 'posted' };
		await client.post('/contracts/method/write', call(5), { headers });
		expect(keysOf(await begin('posted'))).toEqual(['posted']);
		const again = { ...headers, 'Idempotency-Key': 'posted again' };
		const refused = await client.post('/contracts/method/write', call(6), { headers: again });
		expect(refused).toMatchObject({ status: 412, data: { code: 'write_superseded' } });
	});

	test('another user sees none of it, and does not begin attempts of it', async () => {
		await put('private', 7, { ...LABELS, ...OTHERS, 'Write-Execution': 'private' });
		expect((await begin('private', other)).data).toEqual({ attempt: 1, writes: [] });
		expect((await list('call', 600, other)).data).toEqual({ writes: [] });
		const headers = { ...LABELS, 'Write-Execution': 'private' };
		expect((await put('private 2', 8, headers)).status).toBe(200);
	});

	test.each([
		['an empty one', ''],
		['a space', 'a b'],
		['a comma', 'a,b'],
		['a letter beyond ASCII', 'é'],
		['129 characters', 'a'.repeat(129)],
		['two of them', ['a', 'b']],
		['one of them twice', ['a', 'a']],
	])('a label with %s is refused by name, and nothing is sent', async (_what, value) => {
		for (const name of Object.keys({ ...LABELS, ...OTHERS })) {
			const answer = await put('refused', 9, { ...LABELS, [name]: value });
			const field = name.toLowerCase();
			expect(answer).toMatchObject({ status: 400, data: { code: 'invalid_request', field } });
			expect(answer.data.error).toContain(field);
		}
		expect((await client.get('/writes/refused')).status).toBe(404);
	});

	test.each(['', '-1', '01', '1.0', '1e3', '0x1', '1000000000', 'a', ['1', '1'], ['1', '2']])(
		'the attempt %j is refused by name',
		async (attempt) => {
			const answer = await put('refused', 9, { ...LABELS, 'Write-Attempt': attempt });
			expect(answer).toMatchObject({ status: 400, data: { field: 'write-attempt' } });
		},
	);

	test.each([
		[{ 'Write-Execution': 'a' }, 'write-node'],
		[{ 'Write-Node': 'a' }, 'write-execution'],
		[{ 'Write-Node': 'a', 'Write-Call': 'a' }, 'write-execution'],
		[{ 'Write-Place': 'a' }, 'write-node'],
		[{ 'Write-Attempt': '1' }, 'write-node'],
	])('%j without its execution is refused', async (headers, field) => {
		expect(await put('refused', 9, headers)).toMatchObject({ status: 400, data: { field } });
	});

	test.each([
		[{ node: 'a' }, 'execution'],
		[{ node: 'a', execution: 'a b' }, 'execution'],
		[{ node: '', execution: 'a' }, 'node'],
		[{ node: 'a', execution: 'a', more: 'a' }, 'more'],
	])('an attempt of %j is refused', async (body, field) => {
		expect(await client.post('/attempts', body)).toMatchObject({ status: 400, data: { field } });
	});

	test.each([
		[{ call: 'a', within: 1 }, 'node'],
		[{ node: 'a', within: 1 }, 'call'],
		[{ node: 'a', call: 'a' }, 'within'],
		[{ node: 'a', call: 'a', within: 0 }, 'within'],
		[{ node: 'a', call: 'a', within: '1e3' }, 'within'],
		[{ node: 'a', call: 'a', within: 10_000_000 }, 'within'],
		[{ node: 'a', call: 'a,b', within: 1 }, 'call'],
	])('a list of %j is refused', async (params, field) => {
		const answer = await client.get('/writes', { params });
		expect(answer).toMatchObject({ status: 400, data: { field } });
	});

	test('an older attempt and one that was never begun are refused, a known key is answered', async () => {
		const headers = { ...LABELS, 'Write-Execution': 'attempts' };
		const attempt = (number: number) => ({ ...headers, 'Write-Attempt': String(number) });
		const refused = { status: 412, data: { code: 'write_superseded' } };
		expect(await put('early', 20, attempt(1))).toMatchObject(refused);
		expect((await put('of 0', 21, attempt(0))).status).toBe(200);
		expect((await begin('attempts')).data.attempt).toBe(1);
		expect(await put('late', 22, headers)).toMatchObject(refused);
		expect((await put('of 1', 23, attempt(1))).status).toBe(200);
		expect((await begin('attempts')).data.attempt).toBe(2);
		expect(await put('late', 22, attempt(1))).toMatchObject(refused);
		expect(await put('late', 22, attempt(3))).toMatchObject(refused);
		for (const [key, number] of [
			['of 0', 21],
			['of 1', 23],
		] as const) {
			for (const old of [headers, attempt(0), attempt(1)]) {
				const { status, headers: given, data } = await put(key, number, old);
				expect([status, given['idempotency-replayed']]).toEqual([200, 'true']);
				expect(data).toEqual((await client.get(`/writes/${key}`)).data);
			}
		}
		expect(await put('of 0', 24, headers)).toMatchObject({ status: 422 });
		await client.delete('/writes/fenced');
		expect(await put('fenced', 24, headers)).toMatchObject({ status: 410 });
		const { network } = installed();
		expect(await network.executions(payloadOf(20))).toBe(0);
		expect(await network.executions(payloadOf(22))).toBe(0);
		expect(keysOf(await begin('attempts'))).toEqual(['of 0', 'of 1']);
	});

	test('an older attempt is refused as such, also where the call would be refused', async () => {
		await begin('reverted');
		const headers = { ...LABELS, 'Write-Execution': 'reverted' };
		const { address } = installed().payers[0] ?? {};
		const answer = await client.put('/writes/reverted', call(25, { address }), { headers });
		expect(answer).toMatchObject({ status: 412, data: { code: 'write_superseded' } });
	});

	test('equal calls of a node are listed, the newest first, by the time of the database', async () => {
		const headers = (execution: string, name: string) => {
			return { ...LABELS, 'Write-Execution': execution, 'Write-Call': name };
		};
		await put('older', 30, headers('one', 'equal'));
		await put('newer', 31, headers('two', 'equal'));
		await put('different', 32, headers('two', 'different'));
		const { status, data } = await list('equal');
		const { data: newer } = await client.get('/writes/newer');
		expect(status).toBe(200);
		expect(data.writes.map(({ key }: { key: string }) => key)).toEqual(['newer', 'older']);
		const own = { key: 'newer', node: LONGEST, execution: 'two', call: 'equal' };
		expect(data.writes[0]).toEqual({ ...newer, ...own, state: expect.any(String) });
		expect(
			(await client.get('/writes', { params: { node: 'a', call: 'equal', within: 9 } })).data,
		).toEqual({ writes: [] });
		const id = db.selectFrom('writes').select('id').where('key', '=', 'older');
		const at = new Date(Date.now() - 700_000).toISOString();
		await db.updateTable('labels').set({ at }).where('write_id', '=', id).execute();
		expect(keysOf(await list('equal', 600))).toEqual(['newer']);
		expect(keysOf(await list('equal', 800))).toEqual(['newer', 'older']);
	});

	test.each([
		['SUCCESS', { state: 'final', status: 1 }],
		['REVERTED', { state: 'final', status: 0, revert_reason: 'no' }],
		['CANCELLED', { state: 'cancelled', status: 1, mined_hash: `0x${'0'.repeat(64)}` }],
		['FOREIGN', { state: 'foreign', mined_hash: null }],
	] as const)('a write that is %s is listed as such, and with its answer', async (state, row) => {
		const key = `became ${state}`;
		const number = 50 + state.length;
		const headers = { ...LABELS, 'Write-Execution': state };
		const { hash } = (await put(encodeURIComponent(key), number, headers)).data;
		await untilDone(hash);
		await db.updateTable('writes').set(row).where('key', '=', key).execute();
		const [listed] = (await begin(state)).data.writes;
		const { data: answer } = await client.get(`/writes/${encodeURIComponent(key)}`);
		expect(listed).toEqual({ ...answer, key, node: LONGEST, execution: state, state });
		expect(await became(hash)).toBe(state);
	});

	test('a list that would be too long is an error, and begins no attempt', async () => {
		await put('long', 40, { ...LABELS, 'Write-Execution': 'long', 'Write-Call': 'long' });
		const id = db.selectFrom('writes').select('id').where('key', '=', 'long');
		const attempt = db.updateTable('attempts').where('write_id', '=', id);
		const { raw } = await db
			.selectFrom('attempts')
			.select('raw')
			.where('write_id', '=', id)
			.executeTakeFirstOrThrow();
		await attempt.set({ raw: 'f'.repeat(20_000_001) }).execute();
		const tooLong = { status: 422, data: { code: 'list_too_long' } };
		expect(await begin('long')).toMatchObject(tooLong);
		expect(await list('long')).toMatchObject(tooLong);
		await attempt.set({ raw }).execute();
		expect((await begin('long')).data).toMatchObject({ attempt: 1, writes: [{ key: 'long' }] });
	});

	test('a token that only reads lists equal calls, and begins no attempts', async () => {
		const { service, payers } = installed();
		const token = await service.run('token', 'create', payers[0]?.id ?? '', '--scope', 'read');
		expect((await list('call', 600, clientWith(token))).status).toBe(200);
		const refused = { status: 403, data: { code: 'insufficient_scope' } };
		expect(await begin('read', clientWith(token))).toMatchObject(refused);
		expect((await begin('read', clientWith('unknown'))).status).toBe(401);
	});

	test('the service reports whose a token is', async () => {
		const { payers } = installed();
		const { id, address } = payers[0] ?? {};
		const { data } = await client.get('/service');
		expect(data).toMatchObject({ user: { id, address }, writes: { attempts: true } });
		const { user, ...rest } = data;
		expect((await clientWith('unknown').get('/service')).data).toEqual(rest);
		expect((await other.get('/service')).data.user.id).toBe('LOCAL-other');
	});
});
