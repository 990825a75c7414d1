import type { IDataObject } from 'n8n-workflow';

import type { FaultRequest } from '../../../sandbox/src/faults/fault.mts';
import { useService } from '../../support/sandbox/service.mts';
import { until } from '../../support/until.mts';
import { storeCall } from './contract-calls.mts';
import { useNode } from './use-node.mts';

/** A transaction hash. */
export const HASH: unknown = expect.stringMatching(/^0x[0-9a-f]{64}$/);

/** A fault for the requests about keys with a method. */
export type KeyFault = readonly [method: string, one: Omit<FaultRequest, 'match'>];

/** How the answer to a request is lost. */
export type Cut = 'drop-before' | 'drop-after';

/** Leaves this many writes unknown, whose ends are cut as well. */
export const lost = (put: Cut, times = 1, end: Cut = 'drop-before'): KeyFault[] => [
	['PUT', { kind: put, times }],
	['DELETE', { kind: end, times }],
];

/** The Order ID has its own field. */
const asGiven = ({ orderId = '', ...options }: IDataObject): IDataObject => ({ orderId, options });

/** The node over a service that keeps each write under a key. */
export class KeptWrites {
	readonly node = useNode(useService({ SANDBOX_WRITE_KEYS: '1' }));

	/** Number of a test, so that no two tests send the same call. */
	number = 0;

	constructor() {
		beforeEach(() => void this.number++);
	}

	/** Parameters of Contract: Write that stores the number of the test, with an Order ID or options. */
	write(wish: IDataObject = {}, changes: IDataObject = {}): IDataObject {
		const args = `["${this.number}"]`;
		return storeCall(this.node.service.contracts.shapes, { args, ...changes, ...asGiven(wish) });
	}

	/** Parameters of Token: Send to Rahul Sen, with an Order ID or options. */
	pay(amount: string, wish: IDataObject): IDataObject {
		const { contracts, user } = this.node.service;
		const recipient = user('Rahul Sen').id;
		const send = { resource: 'token', operation: 'send', token: contracts.usd };
		return { ...send, recipient, amount, ...asGiven(wish) };
	}

	/**
	 * The number of transactions that work sends, and its result.
	 *
	 * @param expected number to wait for: a service can report what it has stored a moment before it sends it
	 */
	async transactionsOf<T>(
		work: () => Promise<T>,
		expected = 0,
	): Promise<[count: number, result: T]> {
		const { chain, user } = this.node.service;
		const sent = async () => await chain.getTransactionCount(user().address);
		const before = await sent();
		const result = await work();
		await until(async () => (await sent()) - before >= expected);
		return [(await sent()) - before, result];
	}

	/** Programs a fault for the requests about keys with a method. */
	async fault(...[method, one]: KeyFault): Promise<void> {
		await this.node.service.faults.add({ ...one, match: { method, path: '/v1/writes/.*' } });
	}

	/** Programs faults for the requests about keys. */
	async program(faults: readonly KeyFault[]): Promise<void> {
		for (const fault of faults) await this.fault(...fault);
	}

	/** The methods of the requests about keys, in order; asserts that all keys are of places. */
	async methods(): Promise<string[]> {
		const requests = await this.node.service.faults.requests();
		const ofKeys = requests.filter(({ path }) => path.startsWith('/v1/writes/'));
		for (const { path } of ofKeys) expect(path).toMatch(/^\/v1\/writes\/n8n-[0-9a-f]{64}$/);
		return ofKeys.map(({ method }) => method);
	}
}
