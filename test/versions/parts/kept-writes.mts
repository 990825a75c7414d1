/** Writes at a service that keeps them: a lost answer, an order that comes again, Stop, a crash, and a restored n8n. */
import { DatabaseSync } from 'node:sqlite';
import axios from 'axios';
import type { JsonObject } from '../../../tools/files/json.mts';
import { startJsonServer } from '../../../tools/network/json-server.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { AS_GIVEN, mintedTo, mintItems } from '../../support/n8n/minting.mts';
import {
	chainedWorkflow,
	contractCall,
	itemsPosted,
	rowsOf,
	walletNode,
	webhook,
} from '../../support/n8n/workflow.mts';
import { agentWorkflow, order } from '../../support/n8n/tools-of-models.mts';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import { until } from '../../support/until.mts';
import { kept, resources, type RunningN8n } from '../support/prepared-n8n.mts';
import { KEPT } from '../support/workflows.mts';

const path = '/v1/writes/.*';
const sent = async () => await kept.chain.getTransactionCount(kept.user().address);
const methods = async () => (await kept.faults.requests()).map(({ method }) => method);

/** The tests of kept writes in a running n8n of a version. */
export function testKeptWrites(n8n: RunningN8n): void {
	let before: number;

	beforeEach(async () => {
		await kept.faults.reset();
		before = await sent();
	});

	test.each(['drop-before', 'drop-after'] as const)('are sent once (%s)', async (kind) => {
		await kept.faults.add({ kind, times: 1, match: { method: 'PUT', path } });
		const { error, items } = await n8n.run('kept');
		expect(error).toBeUndefined();
		expect(items('kept')).toMatchObject([{ submitted: true }]);
		expect(items('kept')[0]).not.toHaveProperty('replayed');
		expect(await sent()).toBe(before + 1);
	});

	test('of one order in two executions are sent once', async () => {
		const [first, again] = [await n8n.run('order'), await n8n.run('order')];
		const [paid] = first.items('kept');
		expect(paid).not.toHaveProperty('replayed');
		expect(again.items('kept')).toMatchObject([{ hash: paid?.hash, replayed: true }]);
		expect(await sent()).toBe(before + 1);
	});

	test('that are stopped are decided, and sent once', async () => {
		const params = { afterWork: true };
		await kept.faults.add({ kind: 'hang', params, times: 1, match: { method: 'PUT', path } });
		const id = await n8n.client.runWorkflow('kept', 'Start');
		await until(async () => (await sent()) > before);
		await n8n.executions.stop(id);
		await until(async () => (await methods()).includes('DELETE'));
		await until(async () => (await n8n.executions.read(id)).status === 'canceled');
		expect(await sent()).toBe(before + 1);
	});

	const minted = async (to: string) => await mintedTo(kept.chain, to);
	const ended = async (workflow = 'list') => (await n8n.executions.ended(workflow))[0];
	/** Starts an execution in the background, as an app does. */
	const pay = async (items: JsonObject[], workflow = 'list') =>
		await until(async () => (await n8n.executions.call(workflow, items)).status === 200);
	const MINT = 'mint(address to, uint256 amount)';
	const activate = async (workflow: JsonObject) =>
		await n8n.client.activateWorkflow(await n8n.client.createWorkflow(workflow));
	/** Kills n8n, and returns the execution that it shows as crashed after its restart. */
	const crashed = async (workflow: string) => {
		await n8n.restart();
		await until(async () => (await ended(workflow))?.status === 'crashed');
		return (await ended(workflow))?.id ?? '';
	};
	const retryAfterCrash = async (workflow = 'list') => {
		// The restart replaces the client.
		const id = await crashed(workflow);
		return await n8n.executions.retry(id);
	};

	describe('in executions that an app starts', () => {
		beforeAll(async () => {
			const call = contractCall('write', kept.contracts.gold, MINT, AS_GIVEN);
			const nodes = [webhook('list', 'atOnce'), itemsPosted, walletNode('Mint', KEPT, call)];
			await activate(chainedWorkflow('list', nodes));
		});

		test('Retry pays only what was not paid', async () => {
			const { to, items } = mintItems('1', '2', '3');
			await kept.faults.add({ kind: 'hang', times: 1, skip: 1, match: { method: 'PUT', path } });
			await pay(items);
			await until(async () => (await minted(to)).length === 1);
			expect(await retryAfterCrash()).toMatchObject({ status: 'success' });
			expect(await minted(to)).toHaveLength(3);
		});

		test('Retry of a stopped execution pays only what was not paid', async () => {
			const { to, items } = mintItems('1', '2', '3');
			await kept.faults.add({ kind: 'hang', times: 1, skip: 1, match: { method: 'PUT', path } });
			const match = { method: 'DELETE', path };
			await kept.faults.add({ kind: 'latency', params: { ms: 1_000 }, match });
			await pay(items);
			await until(async () => (await minted(to)).length === 1);
			const [id = ''] = await n8n.executions.underWay('list');
			await until(async () => (await methods()).filter((one) => one === 'PUT').length === 2);
			await n8n.executions.stop(id);
			await until(async () => (await ended())?.id === id);
			expect((await ended())?.status).toBe('canceled');
			await n8n.executions.retry(id);
			expect(await minted(to)).toHaveLength(3);
		});

		test('Retry pays nothing again that a node has paid, of which n8n has saved nothing', async () => {
			const { to } = mintItems('1');
			const call = contractCall('write', kept.contracts.gold, MINT, JSON.stringify([to, '1']));
			const nodes = ['First', 'Second'].map((name) => walletNode(name, KEPT, call));
			await activate(chainedWorkflow('chain', [webhook('chain', 'atOnce'), ...nodes]));
			await kept.faults.add({ kind: 'hang', times: 1, skip: 1, match: { method: 'PUT', path } });
			await pay([], 'chain');
			await until(async () => (await minted(to)).length === 1);
			expect(await retryAfterCrash('chain')).toMatchObject({ status: 'success' });
			expect(await minted(to)).toHaveLength(2);
		});

		test('Retry names all rows in whose place others were paid, and pays those of a list in another order once', async () => {
			const { to, items } = mintItems(...Array.from({ length: 20 }, (_, index) => `${index + 1}`));
			let table = items;
			const server = await resources.use(startJsonServer(() => table));
			const call = contractCall('write', kept.contracts.gold, MINT, AS_GIVEN);
			const nodes = [
				webhook('table', 'atOnce'),
				rowsOf(server.url),
				walletNode('Mint', KEPT, call),
			];
			await activate(chainedWorkflow('table', nodes));
			await kept.faults.add({ kind: 'hang', times: 1, skip: 10, match: { method: 'PUT', path } });
			await pay([], 'table');
			await until(async () => (await minted(to)).length === 10);
			const id = await crashed('table');
			const paid = await minted(to);
			table = items.map((item, index) => (index % 4 === 3 ? { ...item, amount: '99' } : item));
			const { saved } = await n8n.executions.retry(id);
			const { error = '' } = readWorkflowRun(saved);
			expect(error).toMatch(/^2 of 20 cannot be sent, nothing (more )?was sent: row /);
			const told = [...error.matchAll(/row (\d+) \(0x\w+…\w+\): [^;]*transaction (0x\w+)/g)];
			expect(told).toHaveLength(2);
			for (const [, row, hash] of told) expect(hash).toBe(paid[Number(row) - 1]);
			expect(await minted(to)).toEqual(paid);
			table = items.toReversed();
			expect(await n8n.executions.retry(id)).toMatchObject({ status: 'success' });
			expect(await minted(to)).toHaveLength(20);
		});

		/** Starts an agent whose tool mints what it is asked for, until the service has this many calls, the last unanswered. */
		const askAgent = async (
			id: string,
			prompts: string[],
			saveExecutionProgress: boolean,
			calls: number,
			toolSettings: JsonObject = {},
		) => {
			const { to } = mintItems();
			const args = `={{ ["${to}", $fromAI('amount', 'Amount', 'string')] }}`;
			const tools = { Mint: contractCall('write', kept.contracts.gold, MINT, args) };
			const model = modelCredential().id;
			const workflow = agentWorkflow(id, { tools, credential: KEPT, model, toolSettings });
			const settings = { ...Object(workflow.settings), saveExecutionProgress };
			await activate({ ...workflow, settings });
			const params = { afterWork: true };
			await kept.faults.add({
				kind: 'hang',
				params,
				times: 1,
				skip: calls - 1,
				match: { method: 'PUT', path },
			});
			const ask = async () =>
				await axios.post(`${n8n.url}/webhook/${id}`, { prompts }).catch(Object);
			// n8n does not answer any more, unless the workflow was not published yet.
			const asked = until(async () => (await ask()).response === undefined);
			await until(async () => (await minted(to)).length === calls);
			return { to, asked };
		};
		const mint = { name: 'Mint', arguments: { amount: '7' } };

		test.each([true, false])(
			'Retry pays nothing again that a tool of an agent has paid (progress saved: %s)',
			async (isSaved) => {
				const id = `agent${isSaved}`;
				const other = { ...mint, arguments: { amount: '8' } };
				const { to, asked } = await askAgent(id, [order([mint, other])], isSaved, 2);
				expect(await retryAfterCrash(id)).toMatchObject({ status: 'success' });
				await asked;
				expect(await minted(to)).toHaveLength(2);
			},
		);

		test('Retry pays nothing again if n8n has saved progress while the tool of an agent ran', async () => {
			// The model gets an empty result for the first call, and repeats it.
			const { to, asked } = await askAgent('repeats', [order([mint], [mint])], true, 1);
			const { saved } = await retryAfterCrash('repeats');
			await asked;
			expect(JSON.stringify(saved)).toContain((await minted(to))[0]);
			expect(await minted(to)).toHaveLength(1);
		});

		test('Retry of such a Retry that has failed pays nothing again', async () => {
			const prompt = order([mint], [mint]);
			const { to } = await askAgent('fails', [prompt], true, 1, { onError: 'stopWorkflow' });
			const first = await crashed('fails');
			const match = { method: 'GET', path: '/v1/service' };
			await kept.faults.add({ kind: 'status-text', params: { status: 401 }, times: 1, match });
			const { id } = await n8n.executions.retry(first);
			const { saved } = await n8n.executions.retry(id);
			// n8n does not tell again what the model has filled in.
			const { error } = readWorkflowRun(saved);
			expect(error).toContain('the retried execution may have sent this call');
			expect(await minted(to)).toHaveLength(1);
		});

		test('an execution pays, although an earlier one had its ID and paid the same', async () => {
			const { to, items } = mintItems('1');
			const ids = [];
			for (const count of [1, 2]) {
				await pay(items);
				await until(async () => (await minted(to)).length === count);
				await until(async () => (await ended())?.status === 'success');
				const id = (await ended())?.id ?? '';
				ids.push(id);
				// n8n gives the ID out again, as after the restore of an older database.
				using database = new DatabaseSync(n8n.database, { timeout: 5_000 });
				database.exec(`DELETE FROM execution_entity WHERE id = ${id}`);
				database.exec(`UPDATE sqlite_sequence SET seq = ${id} - 1 WHERE name = 'execution_entity'`);
			}
			expect(ids[0]).toBe(ids[1]);
		});
	});
}
