import axios, { type AxiosInstance } from 'axios';

import type { ReadyUser, SandboxContracts, SandboxReady } from '../../../sandbox/src/ready.mts';
import { startSandbox, type RunningSandbox } from '../../../tools/sandbox/start.mts';
import { Chain } from '../../../tools/sandbox/chain.mts';
import { inTests, useResources } from '../resources.mts';
import { Faults } from './faults.mts';

/** The seeded users, in order. */
export type Username = 'Nelly' | 'Rahul Sen' | 'mika_dev' | 'StormRider' | 'anna-k' | 'newcomer';

/** A contract call: who makes it, one of the sandbox's contracts, the signature, the arguments, and other fields of the body. */
type ContractCall = readonly [
	name: Username,
	contract: keyof SandboxContracts,
	abi: string,
	args?: unknown,
	more?: object,
];

/** The reference service in its own process, with the chain behind it and its fault injection. */
export class Service implements AsyncDisposable {
	readonly ready: SandboxReady;

	readonly contracts: SandboxContracts;

	/** The chain behind the service, queried directly and without caching. */
	readonly chain: Chain;

	readonly faults: Faults;

	/** A client without an access token, which accepts any status as an answer. */
	readonly anonymous: AxiosInstance;

	readonly #sandbox: RunningSandbox;

	private constructor(sandbox: RunningSandbox) {
		const { ready } = sandbox;
		this.#sandbox = sandbox;
		this.ready = ready;
		this.contracts = ready.contracts;
		this.chain = new Chain(ready.rpcUrl);
		this.faults = new Faults(ready.baseUrl);
		this.anonymous = this.client();
	}

	/** Starts it with only the interface, as any other service; `SANDBOX_WRITE_KEYS` lets it keep writes. */
	static async start(env: Record<string, string> = {}): Promise<Service> {
		const only = { SANDBOX_FAULTS: '1', SANDBOX_WRITE_KEYS: '0' };
		return new Service(await startSandbox({ env: { ...only, ...env } }));
	}

	/** A seeded user; the first by default. */
	readonly user = (name: Username = 'Nelly'): ReadyUser => {
		const found = this.ready.users.find(({ username }) => username === name);
		if (found === undefined) throw new Error(`There is no user ${name}`);
		return found;
	};

	/** Data of a credential that belongs to a seeded user. */
	credential(name?: Username): Record<string, string> {
		const { accessToken, id } = this.user(name);
		return { baseUrl: this.ready.baseUrl, accessToken, userId: id };
	}

	/** A client with the access token of a seeded user. See {@link client}. */
	readonly as = (name: Username): AxiosInstance => this.client(this.user(name).accessToken);

	/** Reads from a contract through the service; any status is an answer. */
	readonly read = async (...call: ContractCall) => await this.#call('read', ...call);

	/** Writes to a contract through the service; any status is an answer. */
	readonly write = async (...call: ContractCall) => await this.#call('write', ...call);

	/** Writes to a contract through the service. @returns the hash. @throws Error unless the service submits it. */
	async submit(...call: ContractCall): Promise<string> {
		const { data } = await this.write(...call);
		if (data.status !== 'SUCCESS') throw new Error(`Not submitted: ${JSON.stringify(data)}`);
		return data.hash;
	}

	async #call(method: string, ...[name, contract, abi, args, more = {}]: ContractCall) {
		const body = { address: this.contracts[contract], abi, args, ...more };
		return await this.as(name).post(`/v1/contracts/method/${method}`, body);
	}

	/** A client that sends an access token, if any, and accepts any status as an answer. */
	client(accessToken?: string): AxiosInstance {
		return axios.create({
			baseURL: this.ready.baseUrl,
			headers: accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` },
			validateStatus: () => true,
			maxRedirects: 0,
		});
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.chain.destroy();
		await this.#sandbox.stop();
	}
}

/** Starts a service before the tests of a file and stops it after them. @returns a function that returns it inside a test */
export function useService(env: Record<string, string> = {}): () => Service {
	const resources = useResources();
	return inTests(beforeAll, async () => await resources.use(Service.start(env)));
}

/** Path of a user's resource, with the ID percent-encoded. */
export const userPath = ({ id }: ReadyUser, resource = ''): string =>
	`/v1/users/${encodeURIComponent(id)}${resource}`;
