/** The routes of writes under a key, with a chain that makes a block each second. */
import { Interface } from 'ethers';
import axios, { type AxiosInstance } from 'axios';
import type { RunningService } from '../../tools/wallet/installed-service.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import { LEDGER } from '../../tools/wallet/network.mts';
import { DATABASES, useInstallation } from './support/network-and-service.mts';
import { payloadOf } from './support/payment.mts';
import { until } from '../support/until.mts';

const call = (number: number, more: object = {}) => ({
	address: LEDGER,
	abi: 'pay(bytes32)',
	args: [payloadOf(number)],
	...more,
});

describe.each(DATABASES)('on %s', (kind) => {
	const installed = useInstallation(kind, 1);
	let running: RunningService;
	let client: AxiosInstance;

	const clientWith = (token: string) =>
		axios.create({
			baseURL: `${installed().service.url}/v1`,
			headers: { authorization: `Bearer ${token}` },
			validateStatus: () => true,
		});

	beforeAll(async () => {
		running = await installed().service.start();
		client = clientWith(installed().payers[0]?.token ?? '');
	});
	afterAll(async () => await running[Symbol.asyncDispose]());

	test('the service reports what it guarantees, without a token', async () => {
		const { status, data } = await axios.get(`${installed().service.url}/v1/service`);
		expect(status).toBe(200);
		expect(data).toMatchObject({
			name: 'wallet-service',
			chainId: 31337,
			writes: { put: true, fence: true, retention: 'forever' },
			limits: { openWrites: 16, answerSeconds: 25 },
		});
	});

	test('a repeat is a look-up, also while the first is being answered, and for ever after', async () => {
		const first = await Promise.all([1, 2, 3].map(() => client.put('/writes/one', call(1))));
		const again = await client.put('/writes/one', call(1, { abi: 'function pay(bytes32 id)' }));
		const looked = await client.get('/writes/one');
		const answers = [...first, again, looked];
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
		expect(new Set(answers.map(({ data }) => data.hash)).size).toBe(1);
		const replayed = answers.map(({ headers }) => headers['idempotency-replayed']);
		expect(replayed.filter((value) => value === undefined)).toHaveLength(1);
		const { network } = installed();
		await until(async () => (await network.executions(payloadOf(1))) > 0);
		expect((await client.put('/writes/one', call(1))).data).toEqual(looked.data);
		expect(await network.executions(payloadOf(1))).toBe(1);
	});

	test('another call under the same key is refused with the recorded one', async () => {
		const { data: first } = await client.put('/writes/two', call(2));
		const { status, data } = await client.put('/writes/two', call(3));
		expect(status).toBe(422);
		const recorded = new Interface(['function pay(bytes32)']).encodeFunctionData('pay', [
			payloadOf(2),
		]);
		expect(data).toMatchObject({
			code: 'write_key_reused',
			hash: first.hash,
			call: { to: LEDGER, data: recorded, value: '0' },
		});
		expect(await installed().network.executions(payloadOf(3))).toBe(0);
	});

	test('a fence needs no body, also if the request names the type of one', async () => {
		const headers = {
			'content-type': 'application/json',
			authorization: `Bearer ${installed().payers[0]?.token}`,
		};
		const url = `${installed().service.url}/v1/writes/typed`;
		const answer = await fetch(url, { method: 'DELETE', headers });
		expect(await answer.json()).toEqual({ status: 'VOID', key: 'typed' });
	});

	test('a fence takes a free key out of use, and returns the write of a used one', async () => {
		expect((await client.get('/writes/free')).status).toBe(404);
		const fenced = await client.delete('/writes/free');
		expect(fenced).toMatchObject({ status: 200, data: { status: 'VOID', key: 'free' } });
		expect((await client.delete('/writes/free')).data).toEqual(fenced.data);
		const refused = { status: 410, data: { code: 'write_key_void' } };
		expect(await client.put('/writes/free', call(4))).toMatchObject(refused);
		expect(await client.get('/writes/free')).toMatchObject(refused);
		expect(await installed().network.executions(payloadOf(4))).toBe(0);
		const { data: write } = await client.put('/writes/used', call(5));
		const submittedAt: unknown = expect.any(String);
		expect((await client.delete('/writes/used')).data).toEqual({ ...write, submittedAt });
	});

	test('a token takes at most 10,000 keys out of use in a day', async () => {
		const fence = async (key: string) => await client.delete(`/writes/${key}`);
		expect((await fence('early')).status).toBe(200);
		await using db = await openDatabase(installed().service.database);
		const [row] = await db.selectFrom('writes').selectAll().where('key', '=', 'early').execute();
		if (!row) throw new Error('The key is not kept');
		for (let block = 0; block < 20; block++) {
			const rows = Array.from({ length: 500 }, () => {
				const id = crypto.randomUUID();
				return { ...row, id, key: id };
			});
			await db.insertInto('writes').values(rows).execute();
		}
		expect(await fence('late')).toMatchObject({ status: 429, data: { code: 'too_many_fences' } });
		expect((await client.get('/writes/late')).status).toBe(404);
		expect((await fence('early')).data.status).toBe('VOID');
		const dayBefore = new Date(Date.now() - 86_500_000).toISOString();
		await db
			.updateTable('writes')
			.set({ created_at: dayBefore })
			.where('state', '=', 'void')
			.execute();
		expect((await fence('late')).data.status).toBe('VOID');
	});

	test('a fence and a write under one key end with one of the two', async () => {
		const keys = Array.from({ length: 8 }, (_unused, number) => `race ${number}`);
		for (const [number, key] of keys.entries()) {
			const path = `/writes/${encodeURIComponent(key)}`;
			const [written, fenced] = await Promise.all([
				client.put(path, call(100 + number)),
				client.delete(path),
			]);
			if (fenced.data.status === 'VOID') expect(written.status).toBe(410);
			else expect(fenced.data.hash).toBe(written.data.hash);
		}
	});

	test('a refused call leaves its key free', async () => {
		const { address } = installed().payers[0] ?? {};
		const refused = await client.put('/writes/again', call(6, { address }));
		expect(refused).toMatchObject({ status: 200, data: { status: 'FAILED' } });
		expect(JSON.stringify(refused.data)).not.toMatch(/0x[0-9a-f]{64}/);
		expect((await client.put('/writes/again', call(6))).data.status).toBe('SUCCESS');
	});

	test('POST with an Idempotency-Key has the same meaning as PUT; quoted or not, it is one key', async () => {
		const post = async (key: string) =>
			await client.post('/contracts/method/write', call(7), {
				headers: { 'Idempotency-Key': key },
			});
		const hashes = [
			await post('seven'),
			await post('"seven"'),
			await client.put('/writes/seven', call(7)),
		];
		expect(new Set(hashes.map(({ data }) => data.hash)).size).toBe(1);
		const free = [1, 2].map(() => client.post('/contracts/method/write', call(8)));
		const [one, other] = await Promise.all(free);
		expect(one?.data.hash).not.toBe(other?.data.hash);
	});

	test.each([[['a', 'b']], ['a, b'], ['"a'], ['x'.repeat(256)], ['"a", "b"']])(
		'the Idempotency-Key %j is refused',
		async (key) => {
			const headers = { 'Idempotency-Key': key };
			const response = await client.post('/contracts/method/write', call(9), { headers });
			expect(response).toMatchObject({ status: 400, data: { field: 'idempotency-key' } });
		},
	);

	test('a token without the scope "write" reads and does not write', async () => {
		const { service, payers } = installed();
		const token = await service.run('token', 'create', payers[0]?.id ?? '', '--scope', 'read');
		const reader = clientWith(token);
		expect((await reader.get(`/users/${payers[0]?.id}`)).status).toBe(200);
		const answers = [
			await reader.put('/writes/ten', call(10)),
			await reader.delete('/writes/ten'),
			await reader.post('/contracts/method/write', call(10)),
			await reader.put('/writes/ten', { abi: 'no call' }),
		];
		for (const answer of answers) {
			expect(answer).toMatchObject({ status: 403, data: { code: 'insufficient_scope' } });
		}
	});

	test('a revoked token, and the tokens of a disabled user, are refused at once', async () => {
		const { service } = installed();
		await service.run('user', 'add', 'LOCAL-other');
		const token = await service.run('token', 'create', 'LOCAL-other', '--expires', '1h');
		const other = clientWith(token);
		expect((await other.get('/users/LOCAL-other')).status).toBe(200);
		await service.run('user', 'disable', 'LOCAL-other');
		expect((await other.get('/users/LOCAL-other')).status).toBe(401);
	});
});
