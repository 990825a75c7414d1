/** The trigger in a running n8n, while transfers are made on the chain: every one of them starts the workflow once. */
import { Contract, id, zeroPadValue } from 'ethers';
import type { Chain } from '../../tools/sandbox/chain.mts';
import { importWorkflows } from '../../tools/n8n/cli.mts';
import { signInAsOwner, type N8nRestClient } from '../../tools/n8n/rest-client.mts';
import { startN8n, type N8nServer } from '../../tools/n8n/server.mts';
import { useResources } from '../support/resources.mts';
import { limitedCredential } from '../support/n8n/limited-credential.mts';
import { startCollector, type Collector } from '../support/n8n/collector.mts';
import { postingExample, triggerWorkflow } from '../support/n8n/trigger-workflow.mts';
import { publish } from '../support/n8n/published.mts';
import { until } from '../support/until.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../support/n8n/workspace.mts';
import { WRITE } from '../support/sandbox/faults.mts';
import type { Service, Username } from '../support/sandbox/service.mts';

/** Maximum entries of a history answer here. */
const WINDOW = 60;
const WRONG = 'never-issued';
const CREDENTIAL = 'sandboxUser0001';
/** n8n is started twice, and polls by the clock. */
const LONG = 240_000;

const resources = useResources();
let workspace: Workspace;
let collector: Collector;
let chain: Chain;
let n8n: N8nServer;
let client: N8nRestClient;
let firstBlock: number;

const user: Service['user'] = (name) => workspace.service.user(name);

async function write(abi: string, args: string[], address: string): Promise<void> {
	await workspace.service.as('Nelly').post(WRITE, { address, abi, args });
}

/** Makes this many transfers to a user, each in its own transaction. */
async function burst(count: number, username: Username = 'Nelly'): Promise<void> {
	const { usd } = workspace.service.contracts;
	for (let made = 0; made < count; made++) {
		await write('mint(address,uint256)', [user(username).address, '1000000'], usd);
	}
}

/** A contract of the sandbox that returns the last number it received. */
const storedAtLeast = (conditionValue: string) => ({
	...{ event: 'contractValue', contractAddress: workspace.service.contracts.shapes },
	...{ functionSource: 'signature', abi: 'stored() view returns (uint256)' },
	...{ valueCondition: 'atLeast', conditionValue },
});

const historyOf = (username: Username): string =>
	`/v1/users/${encodeURIComponent(user(username).id)}/history`;

/** Waits until two more polls have sent requests: by then the first one has ended. */
async function untilPolled(path: string): Promise<void> {
	const asked = async () => await workspace.service.faults.requestsFor(path);
	const before = await asked();
	await until(async () => (await asked()) >= before + 2);
}

/** Transaction hashes of all transfers to a user since the trigger was switched on, oldest first, from the chain's logs. */
async function hashesOnChain(username: Username): Promise<string[]> {
	const logs = await chain.getLogs({
		fromBlock: firstBlock + 1,
		topics: [
			id('Transfer(address,address,uint256)'),
			null,
			zeroPadValue(user(username).address, 32),
		],
	});
	return logs.map(({ transactionHash }) => transactionHash);
}

const delivered = (path: string): string[] => collector.at(path).map(({ hash }) => String(hash));

beforeAll(async () => {
	const limit = { SANDBOX_HISTORY_LIMIT: String(WINDOW) };
	workspace = await createWorkspace(resources, limit, (service) => [
		limitedCredential(service, 'wrongToken', { userId: service.user('StormRider').id }, WRONG),
	]);
	collector = await resources.use(startCollector());
	const { service, userFolder } = workspace;
	({ chain } = service);
	const watch = { event: 'newTransfer', direction: 'received' };
	const late = { ...watch, userIds: [user('Rahul Sen').id, user('mika_dev').id].join('\n') };
	await importWorkflows(userFolder, [
		triggerWorkflow('transfers', CREDENTIAL, watch, `${collector.url}/transfers`),
		triggerWorkflow('late', CREDENTIAL, late, `${collector.url}/late`),
		await postingExample('incoming-transfers-table', 'Insert Rows', `${collector.url}/rows`),
		await postingExample('low-balance-alert', 'Alert', `${collector.url}/alerts`),
		triggerWorkflow('wrong', 'wrongToken', watch, `${collector.url}/wrong`),
		triggerWorkflow('value', CREDENTIAL, storedAtLeast('10'), `${collector.url}/values`),
	]);
	n8n = await resources.use(startN8n(userFolder));
	client = await signInAsOwner(n8n.url);
}, PREPARATION_TIME);

test(
	'every transfer is given exactly once, whatever happens in between',
	async () => {
		const { service, userFolder } = workspace;
		firstBlock = await chain.getBlockNumber();
		// One of two wallets cannot be read when the trigger is switched on: it starts at a later poll.
		await service.faults.hit('status-text', `/v1/users/${user('Rahul Sen').id}`);
		await client.activateWorkflow('late');
		await client.activateWorkflow('transfers');
		await untilPolled(historyOf('Nelly'));
		await untilPolled(historyOf('Rahul Sen'));

		await burst(50);
		await collector.until('/transfers', 50);

		// The service is down for three polls.
		await service.faults.hit('status-text', historyOf('Nelly'), { times: 3 });
		await burst(40);
		const { usd, payouts } = service.contracts;
		await write('approve(address,uint256)', [payouts, '2000000'], usd);
		await write(
			'payTwice(address,address,uint256)',
			[usd, user('Nelly').address, '1000000'],
			payouts,
		);
		await collector.until('/transfers', 92);

		await burst(25);
		await n8n.stop();
		await burst(25);
		await burst(1, 'Rahul Sen');
		n8n = await resources.use(startN8n(userFolder));
		client = await signInAsOwner(n8n.url);
		await collector.until('/transfers', 142);
		await collector.until('/late', 1);
		expect(delivered('/late')).toEqual(await hashesOnChain('Rahul Sen'));
		const beforeGap = await hashesOnChain('Nelly');
		expect(delivered('/transfers').sort()).toEqual([...beforeGap].sort());
		const flags = new Set(collector.at('/transfers').map(({ gapPossible }) => gapPossible));
		expect(flags).toEqual(new Set([false]));

		// More transfers than the window holds, between one poll and the next that succeeds.
		await workspace.service.faults.add({
			kind: 'status-text',
			match: { path: historyOf('Nelly') },
		});
		await burst(WINDOW + 10);
		await service.faults.clear();
		await collector.until('/transfers', 142 + WINDOW);
		await burst(3);
		await collector.until('/transfers', 142 + WINDOW + 3);
		const all = await hashesOnChain('Nelly');
		const lost = all.slice(beforeGap.length, beforeGap.length + 10);
		const expected = all.filter((hash) => !lost.includes(hash));
		expect(expected.length).toBeGreaterThanOrEqual(200);
		expect(delivered('/transfers').sort()).toEqual(expected.sort());
		const flagged = collector.at('/transfers').filter(({ gapPossible }) => gapPossible === true);
		expect(flagged.map(({ hash }) => hash).sort()).toEqual(
			all.slice(beforeGap.length + 10, beforeGap.length + 10 + WINDOW).sort(),
		);
	},
	LONG,
);

test(
	'the examples write a row for each transfer, and alert once when a wallet runs low',
	async () => {
		const { usd } = workspace.service.contracts;
		for (const workflow of ['walletIncoming01', 'walletLowAlert01']) {
			await publish(client, workflow);
		}
		await burst(2);
		await collector.until('/rows', 2);
		const token = new Contract(usd, ['function balanceOf(address) view returns (uint256)'], chain);
		const balance = BigInt(String(await token.getFunction('balanceOf')(user('Nelly').address)));
		const rest = [user('mika_dev').address, String(balance - 99_500_000n)];
		await write('transfer(address,uint256)', rest, usd);
		await collector.until('/alerts', 1);
		expect(collector.at('/alerts')).toMatchObject([
			{ alert: `${user('Nelly').id} has only 99.5 SUSD left`, balance: '99.5' },
		]);
		const [row] = collector.at('/rows');
		const hashes = await hashesOnChain('Nelly');
		expect(row).toMatchObject({
			user: user('Nelly').id,
			amount: '1',
			asset: 'SUSD',
			gapPossible: false,
		});
		expect(collector.at('/rows').map(({ hash }) => hash)).toEqual(hashes.slice(-2));
	},
	LONG,
);

test(
	'a contract value starts the workflow each time it begins to meet the condition',
	async () => {
		const { shapes } = workspace.service.contracts;
		await client.activateWorkflow('value');
		for (const value of ['10', '11', '9', '12']) {
			await untilPolled('/v1/contracts/method/read');
			await write('store(uint256)', [value], shapes);
		}
		await collector.until('/values', 2);
		expect(collector.at('/values')).toMatchObject([
			{ value: '10', previous: '0', condition: 'atLeast', comparedWith: '10' },
			{ value: '12', previous: '9', contractAddress: shapes },
		]);
	},
	LONG,
);

test(
	'a wrong token keeps the workflow from being activated, and the message says why',
	async () => {
		await client.activateWorkflow('wrong');
		await until(async () => (await client.publication('wrong')).status === 'failed');
		const { errors } = await client.publication('wrong');
		expect(errors).toEqual([expect.stringContaining('The access token was rejected')]);
	},
	LONG,
);

test('the form lists the tokens of the wallet, and says in words why it cannot', async () => {
	const watched = { event: 'balanceChanged', asset: 'token', userIds: user('Rahul Sen').id };
	const { usd } = workspace.service.contracts;
	const susd = [`SUSD - Sandbox Dollar (${usd.slice(0, 6)}…${usd.slice(-4)})`, usd];
	const send = { resource: 'token', operation: 'send' };
	expect(await client.listTokens('walletServiceTrigger', watched, CREDENTIAL)).toContainEqual(susd);
	expect(await client.listTokens('walletService', send, CREDENTIAL)).toContainEqual(susd);
	expect(await client.listTokens('walletServiceTool', send, CREDENTIAL)).toContainEqual(susd);
	await expect(client.listTokens('walletService', send)).rejects.toThrow(
		'No credential is selected, so tokens cannot be listed',
	);
	await expect(client.listTokens('walletService', send, 'wrongToken')).rejects.toThrow(
		'The access token was rejected',
	);
});
