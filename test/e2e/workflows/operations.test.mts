/** Each operation, run by n8n's command line on the installed package, compared with the chain. */
import type { Chain } from '../../../tools/sandbox/chain.mts';
import { executeWorkflow, importWorkflows } from '../../../tools/n8n/cli.mts';
import type { WorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { useResources } from '../../support/resources.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';
import { walletWorkflow } from '../../support/n8n/workflow.mts';

/** 2^53 + 1 and a bit: beyond what a JavaScript number can hold. */
const MINTED = '9007199254740993000000000000000001';
/** In whole tokens, with all 18 decimal places. */
const SENT = '9007199254740993.000000000000000001';

const resources = useResources();
let workspace: Workspace;
let chain: Chain;
let run: WorkflowRun;

beforeAll(async () => {
	workspace = await createWorkspace(resources);
	const { service, userFolder } = workspace;
	const sandbox = service.ready;
	chain = workspace.service.chain;
	const { gold, usd } = sandbox.contracts;
	const [nelly] = sandbox.users;
	const mint = {
		resource: 'contract',
		functionSource: 'signature',
		operation: 'write',
		contractAddress: gold,
		abi: 'mint(address to, uint256 amount)',
		argumentsMode: 'json',
		args: JSON.stringify([nelly?.address, MINTED]),
	};
	const workflow = walletWorkflow('allOperations', 'sandboxUser0001', {
		user: { resource: 'user', operation: 'get' },
		native: { resource: 'balance', operation: 'native', userId: sandbox.users[2]?.id ?? '' },
		write: mint,
		send: {
			resource: 'token',
			operation: 'send',
			token: gold,
			recipient: sandbox.users[1]?.id ?? '',
			amount: SENT,
		},
		token: { resource: 'balance', operation: 'token', token: gold },
		history: { resource: 'history', operation: 'list', returnAll: true },
		read: {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'read',
			contractAddress: usd,
			abi: 'function totalSupply() external view returns (uint256)',
		},
	});
	await importWorkflows(userFolder, [workflow]);
	run = await executeWorkflow(userFolder, 'allOperations');
}, PREPARATION_TIME);

test('the workflow runs to its end', () => {
	expect(run.error).toBeUndefined();
});

test('user get gives the wallet that the chain sees as the sender of the write', async () => {
	const [user] = run.items('user');
	const [write] = run.items('write');
	const { receipt } = await chain.transaction(String(write?.hash));
	expect(user).toEqual({
		id: workspace.service.ready.users[0]?.id,
		provider: 'DISCORD',
		username: 'Nelly',
		address: receipt.from,
		imageSrc: expect.any(String),
	});
});

test('balance native is the balance of the wallet, in wei', async () => {
	const [user] = workspace.service.ready.users.slice(2);
	const [balance] = run.items('native');
	expect(balance).toMatchObject({
		userId: user?.id,
		baseUnits: (await chain.getBalance(user?.address ?? '')).toString(),
		decimals: 18,
		tokenAddress: null,
	});
});

test('balance token is the token balance, every digit of it', async () => {
	const { users, contracts } = workspace.service.ready;
	const balance = await chain.tokenBalance(contracts.gold, users[0]?.address ?? '');
	expect(balance).toBeGreaterThan(BigInt(MINTED) - BigInt(SENT.replace('.', '')));
	expect(run.items('token')).toMatchObject([
		{ baseUnits: balance.toString(), decimals: 18, symbol: 'SGLD', tokenAddress: contracts.gold },
	]);
});

test('token send is the transfer that the chain has, every digit of the amount', async () => {
	const { users, contracts } = workspace.service.ready;
	const [sent] = run.items('send');
	const { receipt, transfers } = await chain.transaction(String(sent?.hash));
	expect([receipt.status, receipt.from]).toEqual([1, users[0]?.address]);
	expect(transfers).toEqual([
		{
			hash: sent?.hash,
			to: users[1]?.address,
			tokenAddress: contracts.gold.toLowerCase(),
			value: SENT.replace('.', ''),
		},
	]);
	expect(sent).toMatchObject({ amount: SENT, symbol: 'SGLD', submitted: true });
});

test('history list holds every transfer that the chain has for the wallet', async () => {
	const { address = '' } = workspace.service.ready.users[0] ?? {};
	expect((await chain.transfers(address)).at(0)?.value).toBe(SENT.replace('.', ''));
	const transfers = await chain.history(address);
	expect(run.items('history')).toMatchObject(transfers);
	expect(run.items('history')).toHaveLength(transfers.length);
});

test('contract read gives the value that the contract returns', async () => {
	const [supply] = await chain.read(
		workspace.service.contracts.usd,
		'function totalSupply() view returns (uint256)',
	);
	expect(run.items('read')).toMatchObject([{ status: 'SUCCESS', value: String(supply) }]);
});

test('contract write gives the hash of a transaction that did what it says', async () => {
	const { users, contracts } = workspace.service.ready;
	const [write] = run.items('write');
	const { receipt, transfers } = await chain.transaction(String(write?.hash));
	expect(receipt.status).toBe(1);
	expect(transfers).toEqual([
		{
			hash: write?.hash,
			to: users[0]?.address,
			tokenAddress: contracts.gold.toLowerCase(),
			value: MINTED,
		},
	]);
	expect(write).toMatchObject({ submitted: true, explorerUrl: expect.stringContaining('/tx/') });
});
