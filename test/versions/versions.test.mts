/** The packed package in older versions of n8n and in the newest one: what it gives there, against what the chain says. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import axios from 'axios';
import { Chain } from '../../workbench/src/chain.mts';
import { startChatModel } from '../../workbench/src/chat-model.mts';
import { executeWorkflow, importCredentials, importWorkflows } from '../../workbench/src/n8n/cli.mts';
import { importSandboxCredentials } from '../../workbench/src/n8n/folder.mts';
import type { PackedPackage } from '../../workbench/src/n8n/package.mts';
import { packPackage, unpackIntoN8n } from '../../workbench/src/n8n/package.mts';
import type { InstalledN8n } from '../../workbench/src/n8n/program.mts';
import { assignN8n, lockedN8n } from '../../workbench/src/n8n/program.mts';
import { signInAsOwner } from '../../workbench/src/n8n/rest-client.mts';
import type { N8nRestClient } from '../../workbench/src/n8n/rest-client.mts';
import type { N8nServer } from '../../workbench/src/n8n/server.mts';
import { startN8n } from '../../workbench/src/n8n/server.mts';
import type { WorkflowRun } from '../../workbench/src/n8n/workflow-run.mts';
import type { ImportedCredential } from '../../workbench/src/sandbox-credentials.mts';
import { modelCredential } from '../../workbench/src/sandbox-credentials.mts';
import { Cleanup } from '../e2e/support/cleanup.mts';
import type { Collector } from '../e2e/support/collector.mts';
import { startCollector } from '../e2e/support/collector.mts';
import { obey, order } from '../e2e/support/obedient-model.mts';
import { triggerWorkflow } from '../e2e/support/trigger-workflow.mts';
import { until } from '../e2e/support/until.mts';
import { Service } from '../engine/support/service.mts';
import type { Account } from './support/account.mts';
import { connectAccount } from './support/account.mts';
import { installN8n, olderVersions, versionsOf } from './support/install-n8n.mts';
import type { StatedResult } from './support/stated-results.mts';
import { statedResults } from './support/stated-results.mts';
import {
	CREDENTIAL,
	operationsWorkflow,
	signedInAgent,
	signedInWorkflow,
	storeCall,
	WRITES,
	writesWorkflow,
} from './support/workflows.mts';

/** An older n8n is installed first, in the first run. */
const INSTALLATION_TIME = 600_000;

/** How long n8n may take to start on a busy machine, and its trigger to poll twice. */
const START_TIME = 240_000;

const cleanup = new Cleanup();
let directory: string;
let packed: PackedPackage;
let service: Service;
let chain: Chain;
let collector: Collector;
/** Of a stand-in for a language model. */
let modelAccess: ImportedCredential;

beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), 'wallet-service-versions-'));
	await cleanup.add(() => rm(directory, { recursive: true, force: true }));
	packed = await packPackage(directory);
	service = await Service.start();
	await cleanup.add(() => service.stop());
	chain = new Chain(service.ready.rpcUrl);
	await cleanup.add(async () => chain.close());
	const model = await startChatModel(obey);
	await cleanup.add(() => model.stop());
	modelAccess = modelCredential(`${model.url}/v1`, 'not needed');
	collector = await startCollector();
	await cleanup.add(() => collector.stop());
}, INSTALLATION_TIME);
afterAll(async () => await cleanup.run());

/** An access token that the service refuses: the next request renews it. */
const ENDED = 'ended';

/** The seeded user of the accounts: no other test sends with that wallet. */
const SIGNED_IN = 2;

/** The numbers that a wallet stored, in the order of their transactions, from one of its transactions on. */
async function storedFrom(first: number): Promise<number[]> {
	const { address } = service.user(SIGNED_IN);
	const numbers: number[] = [];
	const height = await service.chain.getBlockNumber();
	for (let block = 0; block <= height; block++) {
		const { prefetchedTransactions = [] } = (await service.chain.getBlock(block, true)) ?? {};
		for (const { from, nonce, data } of prefetchedTransactions) {
			if (from === address && nonce >= first) numbers.push(Number(`0x${data.slice(10)}`));
		}
	}
	return numbers;
}

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

describe.each([...olderVersions(), 'newest'])('n8n %s', (version) => {
	let n8n: InstalledN8n;
	let userFolder: string;
	let run: WorkflowRun;
	let nodeVersion: string;
	let stated: StatedResult | undefined;

	beforeAll(async () => {
		n8n = version === 'newest' ? lockedN8n : await installN8n(version);
		const [n8nVersion, runtime] = await versionsOf(n8n);
		nodeVersion = runtime;
		stated = (await statedResults()).get(n8nVersion);
		userFolder = join(directory, version);
		if (n8n !== lockedN8n) await assignN8n(userFolder, n8n);
		await unpackIntoN8n(userFolder, packed);
		await importSandboxCredentials(userFolder, service.ready);
		const workflows = [operationsWorkflow(service.ready), writesWorkflow(service.ready)];
		// n8n 2.0 does not give imported workflows a version by itself.
		const versionId = randomUUID();
		await importWorkflows(
			userFolder,
			workflows.map((workflow) => ({ ...workflow, versionId })),
		);
		run = await executeWorkflow(userFolder, 'operations');
	}, INSTALLATION_TIME);

	test('is one that the documentation says passes, on this Node.js', async () => {
		expect(stated).toMatchObject({ node: nodeVersion, result: 'passed' });
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
		const other = service.user(2);
		const { gold } = service.ready.contracts;
		expect(run.items('native')).toMatchObject([
			{ userId: other.id, balance: String(await chain.nativeBalance(other.address)) },
		]);
		expect(run.items('token')).toMatchObject([
			{ symbol: 'SGLD', balance: String(await chain.tokenBalance(gold, address)) },
		]);
	});

	test('history holds the transfers of the chain', async () => {
		const transfers = await chain.transfers(service.user().address);
		expect(
			run.items('history').map(({ hash, toAddress, tokenAddress, value }) => ({
				hash,
				to: toAddress,
				tokenAddress,
				value,
			})),
		).toEqual(transfers);
	});

	test('a read gives the value that the contract returns', async () => {
		const signature = 'function totalSupply() view returns (uint256)';
		const [supply] = await chain.read(service.ready.contracts.usd, signature);
		expect(run.items('read')).toMatchObject([{ status: 'SUCCESS', value: String(supply) }]);
	});

	test('a write gives the hash of a transaction that did what it says', async () => {
		const [write] = run.items('write');
		const { receipt, transfers } = await chain.transaction(String(write?.hash));
		expect(receipt).toMatchObject({ status: 1, from: service.user().address });
		expect(transfers).toMatchObject([{ to: service.user(1).address, value: '1500000' }]);
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
				error: expect.stringContaining('HTTP 404'),
				message: expect.stringContaining('Check the user ID'),
			},
		]);
	});

	test('writes go out in item order, and none twice when n8n runs the node again', async () => {
		const { address } = service.user();
		const before = await service.chain.getTransactionCount(address);
		await service.reset();
		await service.fault({
			kind: 'failed',
			match: { path: '/v1/contracts/method/write' },
			skip: 2,
			times: 1,
			params: { error: 'try again' },
		});
		const { error, items } = await executeWorkflow(userFolder, 'writes');
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
		expect(sent.map((transaction) => Number(`0x${transaction?.data.slice(10)}`))).toEqual([
			0, 1, 2, 3,
		]);
		const nonces = sent.map((transaction) => Number(transaction?.nonce) - before);
		expect(nonces).toEqual(Array.from({ length: WRITES }, (_one, index) => index));
		expect(await service.chain.getTransactionCount(address)).toBe(before + WRITES);
	});

	describe('with a sign-in by OAuth2', () => {
		const accounts: Record<string, Account> = {};

		async function connect(id: string, accessToken?: string): Promise<Account> {
			const account = await connectAccount(service.ready, id, SIGNED_IN, accessToken);
			accounts[id] = account;
			await cleanup.add(() => account.door.close());
			return account;
		}

		beforeAll(async () => {
			const [reads, writes] = [await connect('reads'), await connect('writes', ENDED)];
			await importCredentials(userFolder, [reads.credential, writes.credential]);
			const versionId = randomUUID();
			await importWorkflows(userFolder, [
				{ ...signedInWorkflow('signedInReads', 'reads', service.ready, 'reads'), versionId },
				{ ...signedInWorkflow('signedInWrites', 'writes', service.ready, 'writes'), versionId },
			]);
		}, START_TIME);
		beforeEach(async () => await service.reset());

		test('reads that are refused at the same time are renewed once, and none fails', async () => {
			const unauthorized = { status: 401, body: 'Unauthorized' };
			const { id, address } = service.user(SIGNED_IN);
			await service.fault({
				kind: 'status-text',
				match: { path: `/v1/users/${id}` },
				skip: 1,
				times: WRITES - 1,
				params: unauthorized,
			});
			const { error, items } = await executeWorkflow(userFolder, 'signedInReads');
			expect(error).toBeUndefined();
			expect(items('signedIn').map((user) => user.address)).toEqual(
				Array.from({ length: WRITES }, () => address),
			);
			expect(accounts.reads?.door).toMatchObject({ renewals: 1, refusals: 0 });
		});

		test('a write that is refused goes out once more, with the renewed token', async () => {
			const first = await service.chain.getTransactionCount(service.user(SIGNED_IN).address);
			const { error, items } = await executeWorkflow(userFolder, 'signedInWrites');
			expect(error).toBeUndefined();
			expect(items('signedIn')).toHaveLength(WRITES);
			expect(await storedFrom(first)).toEqual([0, 1, 2, 3]);
			expect(accounts.writes?.door).toMatchObject({ renewals: 1, refusals: 0 });
			const posts = (await service.requests()).filter(({ method }) => method === 'POST');
			expect(posts).toHaveLength(WRITES + 1);
		});
	});

	describe('that runs', () => {
		let server: N8nServer | undefined;
		let client: N8nRestClient;
		let account: Account;

		beforeAll(async () => {
			account = await connectAccount(service.ready, 'tools', SIGNED_IN, ENDED);
			await importCredentials(userFolder, [modelAccess, account.credential]);
			// Older versions of n8n want to be told that community nodes may be tools.
			const settings = { N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true' };
			server = await startN8n(userFolder, 0, settings);
			client = await signInAsOwner(server.url);
		}, START_TIME);
		afterAll(async () => {
			await server?.stop();
			await account.door.close();
		});
		beforeEach(async () => await service.reset());

		test(
			'the trigger starts a workflow on a new transfer',
			async () => {
				const watch = { event: 'newTransfer', direction: 'incoming' };
				const address = `${collector.url}/${version}`;
				const workflow = triggerWorkflow('trigger', CREDENTIAL, watch, address);
				await client.activateWorkflow(await client.createWorkflow(workflow));
				// By the second poll, the first one has remembered what was there.
				await until(async () => (await service.requests()).length >= 2);
				const { contracts } = service.ready;
				await submit('mint(address,uint256)', [service.user().address, '7'], contracts.usd);
				await collector.until(`/${version}`, 1);
				const [latest] = await chain.transfers(service.user().address);
				expect(collector.at(`/${version}`)).toMatchObject([{ hash: latest?.hash, value: '7' }]);
			},
			START_TIME,
		);

		test(
			'a tool that n8n routes by itself writes with the renewed token, where n8n runs it at all',
			async () => {
				const first = await service.chain.getTransactionCount(service.user(SIGNED_IN).address);
				const workflow = signedInAgent('agent', 'tools', modelAccess.id, service.ready);
				await client.activateWorkflow(await client.createWorkflow(workflow));
				const prompt = order([storeCall('41')], [storeCall('42')]);
				const ask = async () =>
					await axios.post(`${server?.url}/webhook/agent`, { prompt }, { validateStatus: null });
				let answer = await ask();
				// Newer versions of n8n are still publishing.
				for (; answer.status === 404; answer = await ask()) await setTimeout(100);
				const isRun = stated?.tools === 'yes';
				const told = isRun ? expect.stringMatching(/SUCCESS.*SUCCESS/) : '["",""]';
				expect(answer.data).toEqual({ output: told });
				expect(await storedFrom(first)).toEqual(isRun ? [41, 42] : []);
				const passed = { renewals: isRun ? 1 : 0, refusals: 0 };
				expect(account.door).toMatchObject(passed);
			},
			START_TIME,
		);
	});
});
