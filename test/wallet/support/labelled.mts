/** Callers of a service that label their writes. */
import axios, { type AxiosInstance } from 'axios';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { Database } from '../../../service/src/store/tables.mts';
import { LEDGER } from '../../../tools/wallet/network.mts';
import { inTests, useResources } from '../../support/resources.mts';
import { until } from '../../support/until.mts';
import { install, type DatabaseKind, type Installation } from './network-and-service.mts';
import { payloadOf } from './payment.mts';

/** A label of the greatest length, with the first and the last character that one may have. */
export const NODE = `!${'-'.repeat(126)}~`;

/** A call that the ledger counts. */
export const callOf = (number: number, more: object = {}): object => ({
	address: LEDGER,
	abi: 'pay(bytes32)',
	args: [payloadOf(number)],
	...more,
});

type Headers = Record<string, string | string[]>;

/** The requests of one user, whose writes all have the same node. */
export class Labelled {
	readonly client: AxiosInstance;

	constructor(baseUrl: string, token: string) {
		this.client = axios.create({
			baseURL: `${baseUrl}/v1`,
			headers: { authorization: `Bearer ${token}` },
			validateStatus: () => true,
		});
	}

	async put(key: string, number: number, execution: string, more: Headers = {}) {
		return await this.putWith(key, number, {
			'Write-Node': NODE,
			'Write-Execution': execution,
			...more,
		});
	}

	/** With these headers only. */
	async putWith(key: string, number: number, headers: Headers) {
		return await this.client.put(`/writes/${encodeURIComponent(key)}`, callOf(number), { headers });
	}

	async get(key: string) {
		return await this.client.get(`/writes/${encodeURIComponent(key)}`);
	}

	async begin(execution: string) {
		return await this.client.post('/attempts', { node: NODE, execution });
	}

	async equal(call: string, within = 600) {
		return await this.client.get('/writes', { params: { node: NODE, call, within } });
	}

	/** What became of a transaction. */
	async became(hash: string): Promise<string> {
		return (await this.client.get(`/transactions/${hash}`)).data.status;
	}

	async untilDone(hash: string): Promise<void> {
		await until(async () => (await this.became(hash)) === 'SUCCESS');
	}
}

/** Keys of the writes in a list. */
export const keysOf = ({ data }: { data: { writes: { key: string }[] } }): string[] =>
	data.writes.map(({ key }) => key);

/** A running service with two users, for the tests of a `describe`. */
export function useLabelled(kind: DatabaseKind) {
	const resources = useResources();
	return inTests(beforeAll, async () => {
		const installed: Installation = await install(resources, kind, { payers: 2 });
		const { service, payers } = installed;
		await resources.use(service.start());
		const db: Database = await openDatabase(service.database);
		await resources.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
		const [anna, other] = payers.map(({ token }) => new Labelled(service.url, token));
		if (!anna || !other) throw new Error('There are no users');
		return { ...installed, db, anna, other };
	});
}
