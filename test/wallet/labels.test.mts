/** Labels of writes, and which attempts of an execution may send. */
import { DATABASES } from './support/network-and-service.mts';
import { callOf, keysOf, Labelled, NODE, useLabelled } from './support/labelled.mts';
import { payloadOf } from './support/payment.mts';

const LABELS = { 'Write-Node': NODE, 'Write-Execution': 'execution' };
const NAMES = ['Write-Node', 'Write-Execution', 'Write-Place', 'Write-Call'];
const SUPERSEDED = { status: 412, data: { code: 'write_superseded' } };

describe.each(DATABASES)('on %s', (kind) => {
	const running = useLabelled(kind);

	test.each([
		['nothing', ''],
		['a space', 'a b'],
		['a comma', 'a,b'],
		['a letter beyond ASCII', 'é'],
		['129 characters', 'a'.repeat(129)],
		['two values', ['a', 'b']],
		['one value twice', ['a', 'a']],
	])('a label with %s is refused by name, and nothing is sent', async (_what, value) => {
		const { anna } = running();
		for (const name of NAMES) {
			const answer = await anna.putWith('refused', 9, { ...LABELS, [name]: value });
			const field = name.toLowerCase();
			expect(answer).toMatchObject({ status: 400, data: { code: 'invalid_request', field } });
			expect(answer.data.error).toContain(field);
		}
		expect((await anna.get('refused')).status).toBe(404);
	});

	test.each(['', '-1', '01', '1.0', '1e3', '0x1', '1000000000', 'a', ['1', '1'], ['1', '2']])(
		'the attempt %j is refused by name',
		async (attempt) => {
			const headers = { ...LABELS, 'Write-Attempt': attempt };
			const answer = await running().anna.putWith('refused', 9, headers);
			expect(answer).toMatchObject({ status: 400, data: { field: 'write-attempt' } });
		},
	);

	test.each([
		[{ 'Write-Execution': 'a' }, 'write-node'],
		[{ 'Write-Node': 'a' }, 'write-execution'],
		[{ 'Write-Node': 'a', 'Write-Call': 'a' }, 'write-execution'],
		[{ 'Write-Place': 'a' }, 'write-node'],
		[{ 'Write-Attempt': '1' }, 'write-node'],
	])('%j without its execution is refused', async (headers: Record<string, string>, field) => {
		const answer = await running().anna.putWith('refused', 9, headers);
		expect(answer).toMatchObject({ status: 400, data: { field } });
	});

	test.each([
		[{ node: 'a' }, 'execution'],
		[{ node: 'a', execution: 'a b' }, 'execution'],
		[{ node: '', execution: 'a' }, 'node'],
		[{ node: 'a', execution: 'a', more: 'a' }, 'more'],
	])('an attempt of %j is refused', async (body, field) => {
		const answer = await running().anna.client.post('/attempts', body);
		expect(answer).toMatchObject({ status: 400, data: { field } });
	});

	test('an older attempt and one that was never begun are refused, a known key is answered', async () => {
		const { anna, network } = running();
		const put = async (key: string, number: number, attempt?: number) => {
			if (attempt === undefined) return await anna.put(key, number, 'attempts');
			return await anna.put(key, number, 'attempts', { 'Write-Attempt': `${attempt}` });
		};
		expect(await put('early', 20, 1)).toMatchObject(SUPERSEDED);
		expect((await put('of 0', 21, 0)).status).toBe(200);
		expect((await anna.begin('attempts')).data.attempt).toBe(1);
		expect(await put('late', 22)).toMatchObject(SUPERSEDED);
		expect((await put('of 1', 23, 1)).status).toBe(200);
		expect((await anna.begin('attempts')).data.attempt).toBe(2);
		expect(await put('late', 22, 1)).toMatchObject(SUPERSEDED);
		expect(await put('late', 22, 3)).toMatchObject(SUPERSEDED);
		for (const [key, number] of [['of 0', 21] as const, ['of 1', 23] as const]) {
			for (const old of [undefined, 0, 1]) {
				const { status, headers, data } = await put(key, number, old);
				expect([status, headers['idempotency-replayed']]).toEqual([200, 'true']);
				expect(data).toEqual((await anna.get(key)).data);
			}
		}
		expect((await put('of 0', 24)).status).toBe(422);
		await anna.client.delete('/writes/fenced');
		expect((await put('fenced', 24)).status).toBe(410);
		expect(await network.executions(payloadOf(20))).toBe(0);
		expect(await network.executions(payloadOf(22))).toBe(0);
		expect(keysOf(await anna.begin('attempts'))).toEqual(['of 0', 'of 1']);
	});

	test('an older attempt is refused as such, also where the call would be refused', async () => {
		const { anna, payers } = running();
		await anna.begin('reverted');
		const headers = { ...LABELS, 'Write-Execution': 'reverted' };
		const call = callOf(25, { address: payers[0]?.address });
		expect(await anna.client.put('/writes/reverted', call, { headers })).toMatchObject(SUPERSEDED);
	});

	test('POST under a key takes labels, too', async () => {
		const { anna } = running();
		const post = async (key: string) => {
			const headers = { ...LABELS, 'Write-Execution': 'posted', 'Idempotency-Key': key };
			return await anna.client.post('/contracts/method/write', callOf(26), { headers });
		};
		await post('posted');
		expect(keysOf(await anna.begin('posted'))).toEqual(['posted']);
		expect(await post('posted late')).toMatchObject(SUPERSEDED);
	});

	test('a token that only reads begins no attempts', async () => {
		const { service, payers } = running();
		const token = await service.run('token', 'create', payers[0]?.id ?? '', '--scope', 'read');
		const refused = { status: 403, data: { code: 'insufficient_scope' } };
		expect(await new Labelled(service.url, token).begin('read')).toMatchObject(refused);
		expect((await new Labelled(service.url, 'unknown').begin('read')).status).toBe(401);
	});

	test('a token begins at most 10,000 executions again in a day, and those any number of times', async () => {
		const { anna, other, db } = running();
		const now = new Date().toISOString();
		expect((await anna.begin('early')).status).toBe(200);
		const { token_id: token } = await db
			.selectFrom('executions')
			.select('token_id')
			.where('execution', '=', 'early')
			.executeTakeFirstOrThrow();
		for (let block = 0; block < 20; block++) {
			const rows = Array.from({ length: 500 }, (_unused, number) => ({
				node: 'many',
				execution: `${block} ${number}`,
				attempt: 1,
				token_id: token,
				begun_at: now,
			}));
			await db.insertInto('executions').values(rows).execute();
		}
		const refused = { status: 429, data: { code: 'too_many_executions' } };
		expect(await anna.begin('late')).toMatchObject(refused);
		expect((await anna.begin('early')).data.attempt).toBe(2);
		expect((await other.begin('late')).data.attempt).toBe(1);
		await anna.put('late', 30, 'of-a-write');
		expect(await anna.begin('of-a-write')).toMatchObject(refused);
		const begun_at = new Date(Date.now() - 86_500_000).toISOString();
		await db.updateTable('executions').set({ begun_at }).where('node', '=', 'many').execute();
		expect(keysOf(await anna.begin('of-a-write'))).toEqual(['late']);
	});

	test('the service reports whose a token is', async () => {
		const { anna, other, service, payers } = running();
		const users = payers.map(({ id, address }, at) => ({ id, username: String(at), address }));
		const { data } = await anna.client.get('/service');
		expect(data).toMatchObject({ user: users[0], writes: { attempts: true } });
		expect((await other.client.get('/service')).data.user).toEqual(users[1]);
		const unknown = new Labelled(service.url, 'unknown');
		const { data: open } = await unknown.client.get('/service');
		expect(data).toEqual({ ...open, user: users[0] });
		expect(open).not.toHaveProperty('user');
	});
});
