/**
 * A sign-in by OAuth2: its renewal by each version of n8n, for both ways in which n8n runs the node. The service issues
 * single-use refresh tokens, to a client without a secret.
 */
import { setTimeout } from 'node:timers/promises';
import axios from 'axios';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import { order } from '../../support/n8n/tools-of-models.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { service, SIGNED_IN, type RunningN8n } from '../support/prepared-n8n.mts';
import { signedInAgent, storeCall, WRITES } from '../support/workflows.mts';

const READ = '/v1/contracts/method/read';
const UNAUTHORIZED = { status: 401, body: 'Unauthorized' };

const transactionCount = async () =>
	await service.chain.getTransactionCount(service.user(SIGNED_IN).address);

/** The numbers that the user's wallet stored, in the order of its transactions, from nonce `first` on. */
async function storedFrom(first: number): Promise<number[]> {
	const { address } = service.user(SIGNED_IN);
	const numbers: number[] = [];
	const height = await service.chain.getBlockNumber();
	for (let number = 0; number <= height; number++) {
		const block = await service.chain.getBlock(number, true);
		for (const { from, nonce, data } of block?.prefetchedTransactions ?? []) {
			if (from === address && nonce >= first) numbers.push(Number(`0x${data.slice(10)}`));
		}
	}
	return numbers;
}

/** The tests of sign-ins in a running n8n of a version. */
export function testSignIns(n8n: RunningN8n): void {
	beforeEach(async () => await service.faults.reset());

	test('reads refused at the same time renew the token once, and none fails', async () => {
		const refusals = { skip: 1, times: WRITES - 1, params: UNAUTHORIZED };
		await service.faults.hit('status-text', READ, refusals);
		const { error, items } = await n8n.run('reads');
		expect(error).toBeUndefined();
		expect(items('signedIn').map(({ value }) => value)).toEqual(['0', '1', '2', '3']);
		expect(n8n.accounts.reads.door).toMatchObject({ renewals: 1, refusals: 0 });
	});

	test('a refused write is sent once more, with the renewed token', async () => {
		const first = await transactionCount();
		const { error, items } = await n8n.run('writes');
		expect(error).toBeUndefined();
		expect(items('signedIn')).toHaveLength(WRITES);
		expect(await storedFrom(first)).toEqual([0, 1, 2, 3]);
		expect(n8n.accounts.writes.door).toMatchObject({ renewals: 1, refusals: 0 });
		expect(await service.faults.requestsFor(WRITE)).toBe(WRITES + 1);
	});

	test('the answer to the repeated write is read like any other, so its hash is not lost', async () => {
		const body = `Broken off after 0x${'ab'.repeat(32)}`;
		await service.faults.hit('status-text', WRITE, { params: UNAUTHORIZED });
		const broken = { params: { status: 500, body }, times: null };
		await service.faults.hit('status-text', WRITE, broken);
		const { error } = await n8n.run('writes');
		expect(error).toContain(body);
		expect(error).toContain('The service had an internal error');
		expect(await service.faults.requestsFor(WRITE)).toBe(2);
	});

	test('a hash in a 401 to the repeated write is kept, and the write is not sent a third time', async () => {
		const hash = `0x${'cd'.repeat(32)}`;
		await service.faults.hit('status-text', WRITE, { params: UNAUTHORIZED });
		const named = { params: { status: 401, body: `Signed out: ${hash}` }, times: null };
		await service.faults.hit('status-text', WRITE, named);
		const { error } = await n8n.run('retriedSignedIn');
		expect(error).toContain(hash);
		expect(await service.faults.requestsFor(WRITE)).toBe(2);
	});

	test('the HTTP Request node receives no credential', async () => {
		const { items } = await n8n.run('otherNodes');
		for (const name of ['accessToken', 'oAuth2']) {
			expect([items(name, 0), items(name, 1)]).toMatchObject([[], [{}]]);
		}
		expect(await service.faults.requests()).toEqual([]);
	});

	test("n8n's own routing, which runs tools of agents before version 3, does the same", async () => {
		const first = await transactionCount();
		const { client, url } = n8n;
		const { id } = modelCredential();
		const workflow = signedInAgent('agent', 'tools', id, service.ready);
		await client.activateWorkflow(await client.createWorkflow(workflow));
		const prompt = order([storeCall('41')], [storeCall('42')]);
		const ask = async () =>
			await axios.post(`${url}/webhook/agent`, { prompts: [prompt] }, { validateStatus: null });
		let answer = await ask();
		// Newer versions of n8n answer 404 until the workflow is published.
		for (; answer.status === 404; answer = await ask()) await setTimeout(100);
		const told = expect.stringMatching(/submitted\W+true.*submitted\W+true/);
		expect(answer.data).toEqual([{ output: told }]);
		expect(await storedFrom(first)).toEqual([41, 42]);
		expect(n8n.accounts.tools.door).toMatchObject({ renewals: 1, refusals: 0 });
		expect(await service.faults.requestsFor(WRITE)).toBe(3);
	});
}
