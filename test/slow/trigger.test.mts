/** The trigger in a running n8n, while transfers are made on the chain: every one of them starts the workflow once. */
import { startCollector, type Collector } from '../support/n8n/collector.mts';
import { limitedCredential } from '../support/n8n/workspace.mts';
import { publish } from '../support/n8n/published.mts';
import { postingExample, triggerWorkflow } from '../support/n8n/trigger-workflow.mts';
import { useN8n } from '../support/n8n/use-n8n.mts';
import { userPath, type Username } from '../support/sandbox/service.mts';
import { until } from '../support/until.mts';

/** Maximum number of entries in a history, as set for this service. */
const WINDOW = 60;
const WRONG = 'never-issued';
const CREDENTIAL = 'sandboxUser0001';
// n8n starts twice, and its polls run in real time.
let collector: Collector;
/** Number of each user's transfers before the trigger was switched on. */
const earlier = new Map<Username, number>();

const n8n = useN8n({
	env: { SANDBOX_HISTORY_LIMIT: String(WINDOW) },
	credentials: (service) => [
		limitedCredential(service, 'wrongToken', { userId: service.user('StormRider').id }, WRONG),
	],
});

beforeAll(async () => {
	const { client, service } = n8n;
	collector = await n8n.resources.use(startCollector());
	const { url } = collector;
	const watch = { event: 'newTransfer', direction: 'received' };
	const userIds = [service.user('Rahul Sen').id, service.user('mika_dev').id].join('\n');
	/** A contract of the sandbox that returns the last number it received. */
	const storedAtLeast10 = {
		event: 'contractValue',
		contractAddress: service.contracts.shapes,
		functionSource: 'signature',
		abi: 'stored() view returns (uint256)',
		valueCondition: 'atLeast',
		conditionValue: '10',
	};
	for (const workflow of [
		triggerWorkflow('transfers', CREDENTIAL, watch, url),
		triggerWorkflow('late', CREDENTIAL, { ...watch, userIds }, url),
		await postingExample('incoming-transfers-table', 'rows', 'Insert Rows', url),
		await postingExample('low-balance-alert', 'alerts', 'Alert', url),
		triggerWorkflow('wrong', 'wrongToken', watch, url),
		triggerWorkflow('values', CREDENTIAL, storedAtLeast10, url),
	]) {
		await client.createWorkflow(workflow);
	}
});

/** Makes this many transfers to a user, each in its own transaction. */
async function burst(count: number, username: Username = 'Nelly'): Promise<void> {
	const args = [n8n.user(username).address, '1000000'];
	for (let made = 0; made < count; made++) {
		await n8n.service.submit('Nelly', 'usd', 'mint(address,uint256)', args);
	}
}

const historyOf = (username: Username): string => userPath(n8n.user(username), '/history');

/** Waits until two more polls have sent requests: by then the first of them has ended. */
const untilPolled = async (path: string) => await n8n.faults.untilRequested(path, 2);

/** Hashes of all transfers to a user since the trigger was switched on, oldest first, as on the chain. */
async function hashesOnChain(username: Username): Promise<string[]> {
	const { address } = n8n.user(username);
	const received = (await n8n.chain.transfers(address)).filter(({ to }) => to === address);
	const hashes = received.map(({ hash }) => hash).reverse();
	return hashes.slice(earlier.get(username));
}

const delivered = (path: string): string[] => collector.at(path).map(({ hash }) => String(hash));

test('every transfer starts the workflow exactly once, whatever happens in between', async () => {
	for (const name of ['Nelly', 'Rahul Sen'] as const) {
		earlier.set(name, (await hashesOnChain(name)).length);
	}
	// One of two wallets cannot be read when the trigger is switched on; that wallet is watched from a later poll on.
	await n8n.faults.hit('status-text', `/v1/users/${n8n.user('Rahul Sen').id}`);
	await n8n.client.activateWorkflow('late');
	await n8n.client.activateWorkflow('transfers');
	await untilPolled(historyOf('Nelly'));
	await untilPolled(historyOf('Rahul Sen'));

	await burst(50);
	await collector.until('/transfers', 50);

	// The service is down for three polls.
	await n8n.faults.hit('status-text', historyOf('Nelly'), { times: 3 });
	await burst(40);
	const { service } = n8n;
	const { usd, payouts } = service.contracts;
	await service.submit('Nelly', 'usd', 'approve(address,uint256)', [payouts, '2000000']);
	const args = [usd, n8n.user().address, '1000000'];
	await service.submit('Nelly', 'payouts', 'payTwice(address,address,uint256)', args);
	await collector.until('/transfers', 92);

	await burst(25);
	await n8n.server.stop();
	await burst(25);
	await burst(1, 'Rahul Sen');
	await n8n.start();
	await collector.until('/transfers', 142);
	await collector.until('/late', 1);
	expect(delivered('/late')).toEqual(await hashesOnChain('Rahul Sen'));
	expect(delivered('/transfers').sort()).toEqual((await hashesOnChain('Nelly')).sort());

	// More transfers than a page holds, between one poll and the next that succeeds.
	await n8n.faults.add({ kind: 'status-text', match: { path: historyOf('Nelly') } });
	await burst(WINDOW + 10);
	await n8n.faults.clear();
	await collector.until('/transfers', 152 + WINDOW);
	await burst(3);
	await collector.until('/transfers', 155 + WINDOW);
	const all = await hashesOnChain('Nelly');
	expect(all.length).toBeGreaterThanOrEqual(200);
	expect(delivered('/transfers').sort()).toEqual(all.sort());
	const flags = new Set(collector.at('/transfers').map(({ gapPossible }) => gapPossible));
	expect(flags).toEqual(new Set([false]));
});

test('the examples write a row for each transfer, and alert once when a wallet runs low', async () => {
	for (const workflow of ['rows', 'alerts']) await publish(n8n.client, workflow);
	await burst(2);
	await collector.until('/rows', 2);
	const balance = await n8n.chain.tokenBalance(n8n.contracts.usd, n8n.user().address);
	const rest = [n8n.user('mika_dev').address, String(balance - 99_500_000n)];
	await n8n.service.submit('Nelly', 'usd', 'transfer(address,uint256)', rest);
	await collector.until('/alerts', 1);
	expect(collector.at('/alerts')).toMatchObject([
		{ alert: `${n8n.user().id} has only 99.5 SUSD left`, balance: '99.5' },
	]);
	const hashes = await hashesOnChain('Nelly');
	const transfer = { user: n8n.user().id, amount: '1', asset: 'SUSD', gapPossible: false };
	expect(collector.at('/rows')[0]).toMatchObject(transfer);
	expect(delivered('/rows')).toEqual(hashes.slice(-2));
});

test('a contract value starts the workflow each time it begins to meet the condition', async () => {
	await n8n.client.activateWorkflow('values');
	for (const value of ['10', '11', '9', '12']) {
		await untilPolled('/v1/contracts/method/read');
		await n8n.service.submit('Nelly', 'shapes', 'store(uint256)', [value]);
	}
	await collector.until('/values', 2);
	expect(collector.at('/values')).toMatchObject([
		{ value: '10', previous: '0', condition: 'atLeast', comparedWith: '10' },
		{ value: '12', previous: '9', contractAddress: n8n.contracts.shapes },
	]);
});

test('a wrong token keeps the workflow from being activated, and the message states the reason', async () => {
	await n8n.client.activateWorkflow('wrong');
	await until(async () => (await n8n.client.publication('wrong')).status === 'failed');
	const { errors } = await n8n.client.publication('wrong');
	expect(errors).toEqual([expect.stringContaining('The access token was rejected')]);
});

test('the form lists the tokens of the wallet, or states why it cannot', async () => {
	const watched = { event: 'balanceChanged', asset: 'token', userIds: n8n.user('Rahul Sen').id };
	const { usd } = n8n.contracts;
	const susd = [`SUSD - Sandbox Dollar (${usd.slice(0, 6)}…${usd.slice(-4)})`, usd];
	const { client } = n8n;
	expect(await client.listTokens('walletServiceTrigger', watched, CREDENTIAL)).toContainEqual(susd);
	const send = { resource: 'token', operation: 'send' };
	expect(await client.listTokens('walletServiceTool', send, CREDENTIAL)).toContainEqual(susd);
	const refused = client.listTokens('walletService', send, 'wrongToken');
	await expect(refused).rejects.toThrow('The access token was rejected');
});
