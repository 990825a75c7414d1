/** Orders over a network whose blocks the tests make: what is sent, told and executed. */
import axios from 'axios';
import { toQuantity, Transaction } from 'ethers';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { Resources } from '../../support/resources.mts';
import { until } from '../../support/until.mts';
import { startEndpoint, type RpcRequest } from './endpoint.mts';
import type { Installation } from './network-and-service.mts';
import { pay, payloadOf, type Told } from './payment.mts';

const SERVING = 'test/wallet/support/serving.mts';
const GWEI = 1_000_000_000n;

/** Seconds between two blocks that the tests do not make. */
export const NEVER = 86_400;

/**
 * Starts a service over an endpoint that treats requests, for one user.
 *
 * @param env for `serving.mts`
 */
export async function startOrders(
	resources: Resources,
	{ network, service, payers }: Installation,
	env: NodeJS.ProcessEnv = {},
	treat: (request: RpcRequest) => object | Promise<object> | undefined = () => undefined,
) {
	const [payer] = payers;
	if (!payer) throw new Error('There is no user');
	const { provider } = network;
	const mine = async (blocks = 1) => await provider.send('anvil_mine', [toQuantity(blocks)]);
	/** Blocks ask for another base fee. */
	const askFor = async (baseFee: bigint): Promise<void> => {
		await provider.send('anvil_setNextBlockBaseFeePerGas', [toQuantity(baseFee)]);
		await mine();
	};
	// What earlier tests left in the pool.
	await provider.send('anvil_dropAllTransactions', []);
	await askFor(GWEI);
	const asked = new Map<string, number>();
	const count = (request: RpcRequest) => {
		asked.set(request.method, (asked.get(request.method) ?? 0) + 1);
		return treat(request);
	};
	const endpoint = await resources.use(startEndpoint(network.rpcUrl, count));
	const settings = { RPC_URL: endpoint.url, ANSWER_MS: '5000', ...env };
	await resources.use(service.start(SERVING, settings));
	const client = axios.create({
		baseURL: `${service.url}/v1`,
		headers: { authorization: `Bearer ${payer.token}` },
		validateStatus: () => true,
	});
	const executions = async (id: number) => await network.executions(payloadOf(id));
	return {
		service,
		provider,
		mine,
		askFor,
		executions,
		address: payer.address,
		/** Waits until the service has sent so many further requests to its endpoint. */
		async asks(method: string, more: number): Promise<void> {
			const before = asked.get(method) ?? 0;
			await until(async () => (asked.get(method) ?? 0) >= before + more);
		},
		order: async (id: number): Promise<Told> =>
			await pay(service.url, payer, `order ${id}`, payloadOf(id), 30_000),
		/** What the service reports about a transaction. */
		look: async (hash = '') => (await client.get(`/transactions/${hash}`)).data,
		/** The write of an order. */
		writeOf: async (id: number) => (await client.get(`/writes/order ${id}`)).data,
		/** The transactions that are stored for an order, in order. */
		async attempts(id: number): Promise<Transaction[]> {
			const db = await openDatabase(service.database);
			const rows = await db
				.selectFrom('attempts')
				.innerJoin('writes', 'writes.id', 'attempts.write_id')
				.select('raw')
				.where('key', '=', `order ${id}`)
				.orderBy('no')
				.execute();
			await db.destroy();
			return rows.map(({ raw }) => Transaction.from(raw));
		},
		/** Makes blocks until an order is executed: a chain forgets transactions below its fees until they are sent again. */
		async untilExecuted(id: number): Promise<void> {
			await until(async () => {
				await mine();
				return (await executions(id)) === 1;
			});
		},
	};
}
