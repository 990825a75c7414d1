/** Writes whose transactions do not get into a block: fees that rose, endpoints that take nothing, an operator who cancels. */
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import type { RpcRequest } from './support/endpoint.mts';
import { DATABASES, useInstallation } from './support/network-and-service.mts';
import { NEVER, startOrders } from './support/orders.mts';

const GWEI = 1_000_000_000n;
/** More than half of the blocks by which the service knows what is usual. */
const BLOCKS = 12;
let number = 0;
beforeEach(() => {
	number += 1;
});

const refusal = { error: { code: -32000, message: 'transaction underpriced' } };

describe.each(DATABASES)('on %s', (database) => {
	const installed = useInstallation(database, NEVER);
	const start = async (
		resources: Resources,
		env: NodeJS.ProcessEnv,
		treat?: (request: RpcRequest) => object | undefined,
	) => await startOrders(resources, installed(), env, treat);

	test('a transaction below the fees of blocks is replaced by the same call, and takes place once', async () => {
		await using resources = new Resources();
		const orders = await start(resources, { STUCK_MS: '1000' });
		const { order, look, mine, executions, attempts, provider } = orders;
		const { hash } = await order(number);
		const [{ maxFeePerGas: offered } = {}] = await attempts(number);
		await orders.askFor((offered ?? 0n) * 2n);
		// It is stored before it is sent.
		await until(async () => {
			const { hash: newest } = (await attempts(number)).slice(1).at(-1) ?? {};
			return newest != null && (await provider.getTransaction(newest)) !== null;
		});
		await mine();
		await until(async () => (await look(hash)).status === 'SUCCESS');
		expect(await executions(number)).toBe(1);
		const [call, ...replacements] = await attempts(number);
		let [price, tip] = [call?.maxFeePerGas ?? 0n, call?.maxPriorityFeePerGas ?? 0n];
		for (const one of replacements) {
			const { to, data, value, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = one;
			expect(call).toMatchObject({ to, data, value, nonce, gasLimit });
			expect((maxFeePerGas ?? 0n) * 100n).toBeGreaterThanOrEqual(price * 115n);
			expect((maxPriorityFeePerGas ?? 0n) * 100n).toBeGreaterThanOrEqual(tip * 115n);
			expect(maxFeePerGas).toBeLessThanOrEqual((call?.maxFeePerGas ?? 0n) * 5n);
			[price, tip] = [maxFeePerGas ?? 0n, maxPriorityFeePerGas ?? 0n];
		}
		// Each hash finds the write, and a repeat gets the one in the block.
		const { minedHash } = await look(hash);
		expect(replacements.map((one) => one.hash)).toContain(minedHash);
		expect(await look(minedHash)).toMatchObject({ status: 'SUCCESS', minedHash });
		expect(await order(number)).toMatchObject({ status: 'SUCCESS', hash: minedHash });
	});

	test('fees are raised to what blocks ask for, and wait for the market above the limits for gas', async () => {
		await using resources = new Resources();
		const orders = await start(resources, { STUCK_MS: '500' });
		const { order, executions, attempts } = orders;
		await order(number);
		const [first] = await attempts(number);
		const offered = first?.maxFeePerGas ?? 0n;
		// A jump beyond ten times what the latest blocks were paid is believed once they were paid it.
		for (let block = 0; block < BLOCKS; block++) await orders.askFor(offered * 400n);
		await orders.asks('eth_feeHistory', 3);
		const prices = (await attempts(number)).map(({ maxFeePerGas }) => maxFeePerGas);
		expect(prices).toEqual([offered]);
		for (let block = 0; block < BLOCKS; block++) await orders.askFor(offered * 40n);
		await until(async () => (await attempts(number)).length > 1);
		const [raised] = (await attempts(number)).slice(-1);
		expect(raised?.maxFeePerGas).toBeGreaterThan(offered * 40n);
		await orders.askFor(GWEI);
		await orders.untilExecuted(number);
		expect(await executions(number)).toBe(1);
	});

	test('a transaction that offers enough is not replaced, and only the next one of a wallet is', async () => {
		await using resources = new Resources();
		const orders = await start(resources, { STUCK_MS: '500' });
		const { order, attempts } = orders;
		const ids = [number, (number += 1)];
		for (const id of ids) await order(id);
		await orders.asks('eth_sendRawTransaction', 4);
		for (const id of ids) expect(await attempts(id)).toHaveLength(1);
		const [{ maxFeePerGas: offered } = {}] = await attempts(number);
		await orders.askFor((offered ?? 0n) * 2n);
		await until(async () => (await attempts(ids[0] ?? 0)).length > 1);
		expect(await attempts(number)).toHaveLength(1);
		await orders.askFor(GWEI);
		for (const id of ids) await orders.untilExecuted(id);
	});

	test('a write that no endpoint takes is given up in time, and told as open until that is certain', async () => {
		await using resources = new Resources();
		let takes = false;
		const treat = ({ method }: RpcRequest) =>
			method === 'eth_sendRawTransaction' && !takes ? refusal : undefined;
		const orders = await start(resources, { TTL_MS: '7000' }, treat);
		const { order, look, mine, attempts, provider } = orders;
		const { hash, ...pending } = await order(number);
		expect(pending).toMatchObject({ code: 202, status: 'PENDING' });
		await until(async () => (await attempts(number)).length > 1);
		const [, empty] = await attempts(number);
		expect(empty).toMatchObject({ data: '0x', value: 0n });
		// Even a repeat does not send the call any more.
		takes = true;
		expect(await order(number)).toMatchObject({ code: 202, status: 'PENDING', hash });
		await until(async () => (await provider.getTransaction(empty?.hash ?? '')) !== null);
		expect(await order(number)).toMatchObject({ code: 202, status: 'PENDING', hash });
		await mine();
		await until(async () => (await look(hash)).status === 'CANCELLED');
		expect(await look(hash)).toMatchObject({ minedHash: empty?.hash, final: false });
		expect(await orders.writeOf(number)).toMatchObject({ status: 'PENDING', hash });
		await mine(70);
		await until(async () => (await look(hash)).final === true);
		const refused = await order(number);
		expect(refused).toMatchObject({ code: 200, status: 'FAILED' });
		expect(refused).not.toHaveProperty('hash');
		expect(await orders.executions(number)).toBe(0);
	});

	test('what an endpoint took is not given up', async () => {
		await using resources = new Resources();
		const orders = await start(resources, { TTL_MS: '1000' });
		await orders.order(number);
		await orders.asks('eth_sendRawTransaction', 2);
		expect(await orders.attempts(number)).toHaveLength(1);
		await orders.untilExecuted(number);
	});

	test('the operator cancels a write', async () => {
		await using resources = new Resources();
		const { order, look, mine, executions, service } = await start(resources, {});
		const { hash = '' } = await order(number);
		expect(await service.run('wallet', 'cancel', hash)).toMatch(/^The empty transaction 0x/);
		expect(await order(number)).toMatchObject({ code: 202, status: 'PENDING', hash });
		await mine();
		await until(async () => (await look(hash)).status === 'CANCELLED');
		await expect(service.run('wallet', 'cancel', hash)).rejects.toThrow(/not open any more/);
		await expect(service.run('wallet', 'cancel', '0x12')).rejects.toThrow(/no transaction/);
		expect(await executions(number)).toBe(0);
	});
});
