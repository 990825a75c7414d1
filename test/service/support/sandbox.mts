import axios, { type AxiosInstance } from 'axios';
import { JsonRpcProvider } from 'ethers';
import type { ReadyUser, SandboxContracts } from '../../../sandbox/src/ready.mts';
import { startSandbox, type RunningSandbox } from '../../../sandbox/src/spawn.mts';

/** The users of the sandbox. */
export type Username = 'Nelly' | 'Rahul Sen' | 'mika_dev' | 'StormRider' | 'anna-k' | 'newcomer';

/** The sandbox that the tests of one file share. */
export interface TestSandbox {
	running: RunningSandbox;
	contracts: SandboxContracts;
	/** The chain, asked directly and without caching. */
	chain: JsonRpcProvider;
	user(username: Username): ReadyUser;
	/** A client that sends the user's access token and takes every status as an answer. */
	as(username: Username): AxiosInstance;
	/** A client without an access token. */
	anonymous: AxiosInstance;
}

function client(running: RunningSandbox, accessToken?: string): AxiosInstance {
	return axios.create({
		baseURL: running.ready.baseUrl,
		headers: accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` },
		validateStatus: () => true,
		maxRedirects: 0,
	});
}

/** What tests use of a sandbox that runs; its `chain` is to be destroyed. */
export function connect(running: RunningSandbox): TestSandbox {
	const { rpcUrl, chainId, users, contracts } = running.ready;
	const user: TestSandbox['user'] = (username) => {
		const found = users.find((candidate) => candidate.username === username);
		if (!found) throw new Error(`There is no user ${username}`);
		return found;
	};
	return {
		running,
		contracts,
		chain: new JsonRpcProvider(rpcUrl, chainId, {
			staticNetwork: true,
			cacheTimeout: -1,
			batchStallTime: 0,
		}),
		user,
		as: (username) => client(running, user(username).accessToken),
		anonymous: client(running),
	};
}

/**
 * Starts a sandbox before the tests of a file and ends it after them.
 *
 * @returns a function that gives the sandbox inside a test
 */
export function useSandbox(env: Record<string, string> = {}): () => TestSandbox {
	let sandbox: TestSandbox | undefined;
	beforeAll(async () => {
		sandbox = connect(await startSandbox({ env }));
	});
	afterAll(async () => {
		sandbox?.chain.destroy();
		await sandbox?.running.stop();
	});
	return () => {
		if (!sandbox) throw new Error('The sandbox has not started');
		return sandbox;
	};
}

/** Path of a user's resource, the id percent-encoded. */
export function userPath(user: ReadyUser, resource = ''): string {
	return `/v1/users/${encodeURIComponent(user.id)}${resource}`;
}
