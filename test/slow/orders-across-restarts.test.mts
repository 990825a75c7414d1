/**
 * n8n is killed while it pays orders at a service that keeps writes: after its restart, each order is paid once, and every
 * report is true.
 *
 *   ORDER_KILLS=50    number of kills
 *   ORDER_SEED=2      other random faults and moments
 */
import { cp, rm } from 'node:fs/promises';
import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import type { JsonObject } from '../../tools/files/json.mts';
import { AS_GIVEN, mintedTo, mintItems, mintNode } from '../support/n8n/minting.mts';
import { publishNew } from '../support/n8n/published.mts';
import { useN8n } from '../support/n8n/use-n8n.mts';
import { chainedWorkflow, itemsPosted, webhook } from '../support/n8n/workflow.mts';
import { until } from '../support/until.mts';

const { ORDER_KILLS = '2', ORDER_SEED = '1' } = process.env;
const KILLS = Number(ORDER_KILLS);
/** Orders of a round; each is requested by two webhooks at the same moment. */
const ORDERS = 4;
const TIMEOUT_MS = 120_000;

const FAULTS: Omit<FaultRequest, 'match'>[] = [
	{ kind: 'drop-before' },
	{ kind: 'drop-after' },
	{ kind: 'status-text', params: { status: 503, afterWork: true } },
	{ kind: 'hang', params: { afterWork: true } },
	{ kind: 'latency', params: { ms: 500 } },
];

const n8n = useN8n({ env: { SANDBOX_WRITE_KEYS: '1' } });

let state = Number(ORDER_SEED);
/** A random integer from 0 to below a bound. */
function random(below: number): number {
	state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
	return Math.floor((state / 2 ** 32) * below);
}

beforeAll(async () => {
	const { client, contracts } = n8n;
	const mint = mintNode('Mint', contracts, AS_GIVEN);
	const wish = {
		orderId: '={{ $json.order }}',
		options: { timeout: 3, maxTries: 3, retryFor: 20, sender: n8n.user().id },
	};
	const order = { ...mint, parameters: { ...Object(mint.parameters), ...wish } };
	await publishNew(client, [
		chainedWorkflow('orders', [webhook('orders'), itemsPosted, order]),
		chainedWorkflow('list', [webhook('list'), itemsPosted, mint]),
	]);
});

let orders = 0;

/** An order of its own, for a wallet to which nobody else sends anything. */
function newOrder() {
	const { to, items } = mintItems('1');
	const order = `A/${++orders}`;
	return { to, items: items.map((item): JsonObject => ({ ...item, order })) };
}

test(
	`${KILLS} kills: each order is paid once, and no report is false`,
	async () => {
		for (let kill = 0; kill < KILLS; kill++) {
			const round = Array.from({ length: ORDERS }, newOrder);
			const told: JsonObject[][] = round.map(() => []);
			const pay = async (index: number): Promise<boolean> => {
				const { status, items } = await n8n.executions
					.call('orders', round[index]?.items ?? [])
					.catch(() => ({ status: 0, items: [] }));
				if (status === 200) told[index]?.push(...items);
				return status === 200;
			};
			for (let fault = 0; fault < 4; fault++) {
				const chosen = FAULTS[random(FAULTS.length)] ?? { kind: 'drop-after' };
				const match = { method: random(4) === 0 ? 'DELETE' : 'PUT', path: '/v1/writes/.*' };
				await n8n.faults.add({ ...chosen, match, times: 1, skip: random(6) });
			}
			const calls = round.flatMap((_order, index) => [pay(index), pay(index)]);
			const before = 1 + random(6);
			const requests = async () =>
				(await n8n.faults.requests()).filter(({ path }) => path.startsWith('/v1/writes/')).length;
			await Promise.race([until(async () => (await requests()) >= before), Promise.all(calls)]);
			await n8n.kill();
			await Promise.all(calls);
			await n8n.start();
			await n8n.faults.clear();
			for (const index of round.keys()) expect(await pay(index)).toBe(true);
			for (const [index, { to }] of round.entries()) {
				const hashes = await mintedTo(n8n.chain, to);
				expect(hashes).toHaveLength(1);
				const reports = told[index] ?? [];
				expect(new Set(reports.map(({ hash }) => hash))).toEqual(new Set(hashes));
				const asNew = reports.filter(({ replayed }) => replayed !== true);
				expect(asNew.length).toBeLessThanOrEqual(1);
			}
			await n8n.faults.reset();
		}
	},
	KILLS * TIMEOUT_MS,
);

test(
	'Retry after a restart pays only what was not paid',
	async () => {
		const { to, items } = mintItems('1', '2', '3');
		const match = { method: 'PUT', path: '/v1/writes/.*' };
		await n8n.faults.add({ kind: 'failed', match, times: 1, skip: 1 });
		expect(await n8n.executions.call('list', items)).toMatchObject({ status: 500 });
		const [paid, ...others] = await mintedTo(n8n.chain, to);
		expect(others).toEqual([]);
		await until(async () => (await n8n.executions.ended('list')).length === 1);
		const [failed] = await n8n.executions.ended('list');
		await n8n.kill();
		await n8n.start();
		const { status, saved } = await n8n.executions.retry(failed?.id ?? '');
		expect(status).toBe('success');
		const hashes = await mintedTo(n8n.chain, to);
		expect(hashes).toHaveLength(3);
		expect(hashes[0]).toBe(paid);
		for (const hash of hashes) expect(JSON.stringify(saved)).toContain(hash);
	},
	3 * TIMEOUT_MS,
);

test(
	'Retry of an execution that crashed pays only what was not paid',
	async () => {
		const { to, items } = mintItems('1', '2', '3');
		const match = { method: 'PUT', path: '/v1/writes/.*' };
		await n8n.faults.add({ kind: 'hang', match, times: 1, skip: 1 });
		const call = n8n.executions.call('list', items).catch(() => undefined);
		await until(async () => (await mintedTo(n8n.chain, to)).length === 1);
		await n8n.kill();
		await call;
		await n8n.start();
		const latest = async () => (await n8n.executions.ended('list'))[0];
		await until(async () => (await latest())?.status === 'crashed');
		const { id = '' } = (await latest()) ?? {};
		expect(await n8n.executions.retry(id)).toMatchObject({ status: 'success' });
		expect(await mintedTo(n8n.chain, to)).toHaveLength(3);
	},
	3 * TIMEOUT_MS,
);

test(
	'after n8n was restored from a backup, an execution with the ID of an earlier one pays the same again',
	async () => {
		const { userFolder } = n8n;
		const backup = `${userFolder}.backup`;
		const { to, items } = mintItems('1');
		await n8n.kill();
		await cp(userFolder, backup, { recursive: true });
		await n8n.start();
		const answers = [await n8n.executions.call('list', items)];
		await n8n.kill();
		await rm(userFolder, { recursive: true });
		await cp(backup, userFolder, { recursive: true });
		await n8n.start();
		answers.push(await n8n.executions.call('list', items));
		expect(answers.map(({ items: [item] }) => item?.replayed)).toEqual([undefined, undefined]);
		expect(await mintedTo(n8n.chain, to)).toEqual(answers.map(({ items: [item] }) => item?.hash));
	},
	3 * TIMEOUT_MS,
);
