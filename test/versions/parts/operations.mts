/** Every operation, the list of tokens and the trigger, compared with the chain. */
import type { WorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { startCollector, type Collector } from '../../support/n8n/collector.mts';
import { triggerWorkflow } from '../../support/n8n/trigger-workflow.mts';
import { until } from '../../support/until.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { resources, service, type RunningN8n } from '../support/prepared-n8n.mts';
import { AMOUNT, CREDENTIAL, STEP, WRITES } from '../support/workflows.mts';

const MINT = 'mint(address,uint256)';
const UNITS = AMOUNT.replace('.', '');

let collector: Collector;

beforeAll(async () => {
	collector = await resources.use(startCollector());
});

/** The tests of the operations in a running n8n of a version. */
export function testOperations(version: string, n8n: RunningN8n): void {
	let run: WorkflowRun;

	beforeAll(async () => {
		await service.submit('Nelly', 'gold', MINT, [service.user().address, UNITS]);
		run = await n8n.run('operations');
		expect(run.error).toBeUndefined();
	});

	test('passes according to the documentation, on this Node.js', async () => {
		expect(n8n.stated).toMatchObject({ 'Node.js': n8n.nodeVersion, Result: 'passed' });
	});

	test('each read returns what the chain has', async () => {
		const { id, provider, username, address } = service.user();
		const other = service.user('mika_dev');
		const { gold, usd } = service.contracts;
		const tokens = String(await service.chain.tokenBalance(gold, address));
		const wei = String(await service.chain.getBalance(other.address));
		const [supply] = await service.chain.read(usd, 'function totalSupply() view returns (uint256)');
		expect(run.items('user')).toEqual([
			{ id, provider, username, address, imageSrc: expect.any(String) },
		]);
		expect(run.items('native')).toMatchObject([{ userId: other.id, baseUnits: wei }]);
		expect(run.items('token')).toMatchObject([{ symbol: 'SGLD', baseUnits: tokens }]);
		expect(run.items('history')).toMatchObject(await service.chain.history(address));
		expect(run.items('read')).toMatchObject([{ status: 'SUCCESS', value: String(supply) }]);
	});

	test('a write returns the hash of a transaction that did what it states', async () => {
		const [write] = run.items('write');
		const { receipt, transfers } = await service.chain.transaction(String(write?.hash));
		expect(receipt).toMatchObject({ status: 1, from: service.user().address });
		expect(transfers).toMatchObject([{ to: service.user('Rahul Sen').address, value: '1500000' }]);
	});

	test('a token send matches the transfer on the chain, to the last digit of the amount', async () => {
		const [sent] = run.items('send');
		expect(sent).toMatchObject({ amount: AMOUNT, symbol: 'SGLD', submitted: true });
		const hash = String(sent?.hash);
		const { receipt, transfers } = await service.chain.transaction(hash);
		expect(receipt).toMatchObject({ status: 1, from: service.user().address });
		const tokenAddress = service.contracts.gold.toLowerCase();
		const { address: to } = service.user('Rahul Sen');
		expect(transfers).toEqual([{ hash, to, tokenAddress, value: UNITS }]);
	});

	test('a preview shows the request of that write and sends nothing', async () => {
		const [preview] = run.items('preview');
		const { receipt } = await service.chain.transaction(String(run.items('write')[0]?.hash));
		const sent = await service.chain.getTransaction(receipt.hash);
		expect(preview).toMatchObject({ method: 'POST', calldata: sent?.data });
		expect(preview).not.toHaveProperty('hash');
	});

	test('a failed item leaves by the error output, with the remedy', () => {
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
		await service.faults.hit('failed', WRITE, { skip: 2, params: { error: 'try again' } });
		const { error, items } = await n8n.run('manyWrites');
		expect(error).toBeUndefined();
		const isReplayed = items('writes').map(({ replayed }) => replayed === true);
		expect(isReplayed).toEqual([true, true, false, false]);
		const sent = await Promise.all(
			items('writes').map(async ({ hash }) => await service.chain.getTransaction(String(hash))),
		);
		const stored = sent.map((transaction) => Number(`0x${transaction?.data.slice(10)}`));
		expect(stored.map((number) => Math.floor(number / STEP))).toEqual([0, 1, 2, 3]);
		const isOther = items('writes').map(({ warning }) => /different values/.test(String(warning)));
		expect(isOther).toEqual([true, true, false, false]);
		const nonces = sent.map((transaction) => Number(transaction?.nonce) - before);
		expect(nonces).toEqual(Array.from({ length: WRITES }, (_one, index) => index));
		expect(await service.chain.getTransactionCount(address)).toBe(before + WRITES);
	});

	test('the form lists the tokens of the wallet, and the trigger starts a workflow on a new transfer', async () => {
		await service.faults.reset();
		const { client } = n8n;
		const form = { resource: 'balance', operation: 'token', userId: '' };
		expect(await client.listTokens('walletService', form, CREDENTIAL)).toContainEqual([
			expect.stringMatching(/^SUSD - Sandbox Dollar \(0x/),
			service.contracts.usd,
		]);
		await service.faults.reset();
		const watch = { event: 'newTransfer', direction: 'received' };
		const address = `${collector.url}/${version}`;
		const path = `/${version}/trigger`;
		const workflow = triggerWorkflow('trigger', CREDENTIAL, watch, address);
		await client.activateWorkflow(await client.createWorkflow(workflow));
		// By the second poll, the first one has recorded the existing transfers.
		await until(async () => (await service.faults.requests()).length >= 2);
		await service.submit('Nelly', 'usd', MINT, [service.user().address, '7']);
		await collector.until(path, 1);
		const [latest] = await service.chain.transfers(service.user().address);
		expect(collector.at(path)).toMatchObject([
			{ hash: latest?.hash, direction: 'received', amount: '0.000007', symbol: 'SUSD' },
		]);
	});
}
