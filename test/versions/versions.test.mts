/** The packed package in older versions of n8n and in the newest one: its output, compared with the chain. */
import axios from 'axios';
import type { Chain } from '../../tools/sandbox/chain.mts';
import { executeWorkflow } from '../../tools/n8n/cli.mts';
import { lockedN8n } from '../../tools/n8n/program.mts';
import { signInAsOwner } from '../../tools/n8n/rest-client.mts';
import { startN8n } from '../../tools/n8n/server.mts';
import type { WorkflowRun } from '../../tools/n8n/workflow-run.mts';
import { useResources } from '../support/resources.mts';
import type { Collector } from '../support/n8n/collector.mts';
import { startCollector } from '../support/n8n/collector.mts';
import { triggerWorkflow } from '../support/n8n/trigger-workflow.mts';
import { until } from '../support/until.mts';
import type { Service } from '../support/sandbox/service.mts';
import { olderVersions, versionsOf } from '../support/n8n/install-n8n.mts';
import type { PreparedN8n } from './support/prepared-n8n.mts';
import {
	importExecutable,
	INSTALLATION_TIME,
	START_TIME,
	Versions,
	versions,
} from './support/prepared-n8n.mts';
import { statedResults } from './support/stated-results.mts';
import {
	CREDENTIAL,
	operationsWorkflow,
	STEP,
	WRITES,
	writesWorkflow,
} from './support/workflows.mts';

const resources = useResources();
let prepared: Versions;
let service: Service;
let chain: Chain;
let collector: Collector;

beforeAll(async () => {
	prepared = await Versions.start(resources);
	service = prepared.service;
	({ chain } = service);
	collector = await resources.use(startCollector());
}, INSTALLATION_TIME);

/** Submits a write from outside n8n. */
async function submit(abi: string, args: string[], address: string): Promise<void> {
	const { accessToken } = service.user();
	await axios.post(
		`${service.ready.baseUrl}/v1/contracts/method/write`,
		{ address, abi, args },
		{ headers: { Authorization: `Bearer ${accessToken}` } },
	);
}

test('the documentation lists exactly the versions that run here', async () => {
	const [newest] = await versionsOf(lockedN8n);
	expect([...(await statedResults()).keys()]).toEqual([...olderVersions(), newest]);
});

describe.each(versions)('n8n %s', (version) => {
	let n8n: PreparedN8n;
	let run: WorkflowRun;

	beforeAll(async () => {
		n8n = await prepared.prepare(version);
		const workflows = [operationsWorkflow(service.ready), writesWorkflow(service.ready)];
		await importExecutable(n8n.userFolder, workflows);
		run = await executeWorkflow(n8n.userFolder, 'operations');
	}, INSTALLATION_TIME);

	test('is one that the documentation says passes, on this Node.js', async () => {
		expect(n8n.stated).toMatchObject({ node: n8n.nodeVersion, result: 'passed' });
	});

	test('the workflow runs to its end', () => {
		expect(run.error).toBeUndefined();
	});

	test('user get gives the user', () => {
		const { id, provider, username, address } = service.user();
		expect(run.items('user')).toEqual([
			{ id, provider, username, address, imageSrc: expect.any(String) },
		]);
	});

	test('balances are those of the chain', async () => {
		const { address } = service.user();
		const other = service.user('mika_dev');
		const { gold } = service.contracts;
		expect(run.items('native')).toMatchObject([
			{ userId: other.id, baseUnits: String(await chain.getBalance(other.address)) },
		]);
		expect(run.items('token')).toMatchObject([
			{ symbol: 'SGLD', baseUnits: String(await chain.tokenBalance(gold, address)) },
		]);
	});

	test('history holds the transfers of the chain', async () => {
		const transfers = await chain.history(service.user().address);
		expect(run.items('history')).toMatchObject(transfers);
		expect(run.items('history')).toHaveLength(transfers.length);
	});

	test('a read gives the value that the contract returns', async () => {
		const signature = 'function totalSupply() view returns (uint256)';
		const [supply] = await chain.read(service.contracts.usd, signature);
		expect(run.items('read')).toMatchObject([{ status: 'SUCCESS', value: String(supply) }]);
	});

	test('a write gives the hash of a transaction that did what it says', async () => {
		const [write] = run.items('write');
		const { receipt, transfers } = await chain.transaction(String(write?.hash));
		expect(receipt).toMatchObject({ status: 1, from: service.user().address });
		expect(transfers).toMatchObject([{ to: service.user('Rahul Sen').address, value: '1500000' }]);
	});

	test('a preview shows the request of that write and sends nothing', async () => {
		const [preview] = run.items('preview');
		const { receipt } = await chain.transaction(String(run.items('write')[0]?.hash));
		const sent = await service.chain.getTransaction(receipt.hash);
		expect(preview).toMatchObject({ method: 'POST', calldata: sent?.data });
		expect(preview).not.toHaveProperty('hash');
	});

	test('a failed item leaves by the error output, with what to do', () => {
		expect(run.items('missing', 0)).toEqual([]);
		expect(run.items('missing', 1)).toMatchObject([
			{
				error: expect.stringMatching(/^There is no user [A-Z]+-\d+$/),
				message: expect.stringMatching(/^Check the user ID.* Item \d+$/),
			},
		]);
	});

	test('writes go out in item order, and none twice when n8n runs the node again, with other arguments each time', async () => {
		const { address } = service.user();
		const before = await service.chain.getTransactionCount(address);
		await service.faults.reset();
		await service.faults.add({
			kind: 'failed',
			match: { path: '/v1/contracts/method/write' },
			skip: 2,
			times: 1,
			params: { error: 'try again' },
		});
		const { error, items } = await executeWorkflow(n8n.userFolder, 'writes');
		expect(error).toBeUndefined();
		expect(items('writes').map(({ replayed }) => replayed === true)).toEqual([
			true,
			true,
			false,
			false,
		]);
		const sent = await Promise.all(
			items('writes').map(async ({ hash }) => await service.chain.getTransaction(String(hash))),
		);
		const stored = sent.map((transaction) => Number(`0x${transaction?.data.slice(10)}`));
		expect(stored.map((number) => Math.floor(number / STEP))).toEqual([0, 1, 2, 3]);
		const isOther = items('writes').map(({ warning }) => /other values/.test(String(warning)));
		expect(isOther).toEqual([true, true, false, false]);
		const nonces = sent.map((transaction) => Number(transaction?.nonce) - before);
		expect(nonces).toEqual(Array.from({ length: WRITES }, (_one, index) => index));
		expect(await service.chain.getTransactionCount(address)).toBe(before + WRITES);
	});

	test(
		'the form lists the tokens of the wallet, and the trigger starts a workflow on a new transfer',
		async () => {
			await service.faults.reset();
			await using server = await startN8n(n8n.userFolder);
			const client = await signInAsOwner(server.url);
			const form = { resource: 'balance', operation: 'token', userId: '' };
			expect(await client.listTokens('walletService', form, CREDENTIAL)).toContainEqual([
				expect.stringMatching(/^SUSD - Sandbox Dollar \(0x/),
				service.contracts.usd,
			]);
			await service.faults.reset();
			const watch = { event: 'newTransfer', direction: 'received' };
			const address = `${collector.url}/${version}`;
			const workflow = triggerWorkflow('trigger', CREDENTIAL, watch, address);
			await client.activateWorkflow(await client.createWorkflow(workflow));
			// By the second poll, the first one has recorded the existing transfers.
			await until(async () => (await service.faults.requests()).length >= 2);
			const { contracts } = service.ready;
			await submit('mint(address,uint256)', [service.user().address, '7'], contracts.usd);
			await collector.until(`/${version}`, 1);
			const [latest] = await chain.transfers(service.user().address);
			expect(collector.at(`/${version}`)).toMatchObject([
				{ hash: latest?.hash, direction: 'received', amount: '0.000007', symbol: 'SUSD' },
			]);
		},
		START_TIME,
	);
});
