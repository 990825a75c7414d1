import type { INodeParameters } from 'n8n-workflow';

import { LoadedNodeTypes } from './node-types.mts';
import type { Activation } from './poller.mts';
import { Poller } from './poller.mts';
import { type Service, type Username, useService } from '../../support/sandbox/service.mts';

/** Seeded users: the first has transfers from the start; the last has nothing. */
export const NELLY = 'Nelly';
export const RAHUL = 'Rahul Sen';
export const NEWCOMER = 'newcomer';

/** Submits a contract call as a user. @returns its transaction hash */
export async function write(
	service: Service,
	username: Username,
	call: { address: string; abi: string; args: string[] },
): Promise<string> {
	const { data } = await service
		.as(username)
		.post<{ hash: string }>('/v1/contracts/method/write', call);
	return data.hash;
}

/** A trigger with Nelly's credential that tries each request once: retries would only take longer. */
export function createPoller(
	nodeTypes: LoadedNodeTypes,
	service: Service,
	parameters: INodeParameters,
	more: Partial<Activation> = {},
): Poller {
	return new Poller(nodeTypes, {
		parameters: { options: { maxTries: 1 }, ...parameters },
		credential: service.credential(NELLY),
		...more,
	});
}

/** The package's node types for the tests of a file, loaded as n8n loads them. */
export function useNodeTypes(): () => LoadedNodeTypes {
	let nodeTypes: LoadedNodeTypes;
	beforeAll(async () => {
		nodeTypes = await LoadedNodeTypes.load();
	});
	return () => nodeTypes;
}

/** Triggers over a reference service for the tests of a file; faults end with each test. */
export function useTriggerService() {
	const service = useService();
	const nodeTypes = useNodeTypes();
	afterEach(async () => await service().faults.reset());

	const call = async (username: Username, address: string, abi: string, ...args: string[]) =>
		await write(service(), username, { address, abi, args });
	return {
		service,
		/** See {@link createPoller}. */
		poller: (parameters: INodeParameters, more?: Partial<Activation>) =>
			createPoller(nodeTypes(), service(), parameters, more),
		/** ID of a seeded user. */
		idOf: (username: Username) => service().user(username).id,
		/** See {@link write}. */
		call,
		/** Mints base units of a token, of dollars by default, to a user. */
		mint: async (username: Username, amount: string, token = service().contracts.usd) =>
			await call(
				username,
				token,
				'mint(address,uint256)',
				service().user(username).address,
				amount,
			),
	};
}

/** The error with which a poll ends. */
export async function failureOf(
	polling: Promise<unknown>,
): Promise<{ message: string; description?: string; context?: object }> {
	try {
		await polling;
	} catch (error) {
		if (error instanceof Error) return error;
	}
	throw new Error('The poll did not fail');
}
