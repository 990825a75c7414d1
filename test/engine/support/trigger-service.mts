import type { INodeParameters } from 'n8n-workflow';

import { LoadedNodeTypes } from './node-types.mts';
import type { Activation } from './poller.mts';
import { Poller } from './poller.mts';
import type { UsableService } from './use-node.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { type Username, useService } from '../../support/sandbox/service.mts';

/** Seeded users: the first has transfers from the start; the last has nothing. */
export const NELLY = 'Nelly';
export const RAHUL = 'Rahul Sen';
export const NEWCOMER = 'newcomer';

/** Triggers over a service for the tests of a file; faults end with each test. */
export function useTrigger<Watched extends UsableService>(service: () => Watched) {
	let nodeTypes: LoadedNodeTypes;
	beforeAll(async () => {
		nodeTypes = await LoadedNodeTypes.load();
	});
	afterEach(async () => await service().faults?.reset());
	/** A trigger with the service's credential and a single attempt per request: retries would only take longer. */
	const poller = (parameters: INodeParameters, more?: Partial<Activation>): Poller =>
		new Poller(nodeTypes, {
			parameters: { options: { maxTries: 1 }, ...parameters },
			credential: service().credential(),
			...more,
		});
	return { service, poller };
}

/** Triggers over the reference service, with its users. */
export function useTriggerService() {
	const trigger = useTrigger(useService());
	const { service } = trigger;
	/** Submits a contract call as a user. @returns its transaction hash */
	const call = async (username: Username, address: string, abi: string, ...args: string[]) => {
		const body = { address, abi, args };
		return (await service().as(username).post<{ hash: string }>(WRITE, body)).data.hash;
	};
	/** Mints base units of a token (dollars by default) for a user. */
	const mint = async (username: Username, amount: string, token = service().contracts.usd) => {
		const { address } = service().user(username);
		return await call(username, token, 'mint(address,uint256)', address, amount);
	};
	return { ...trigger, call, mint, idOf: (username: Username) => service().user(username).id };
}

/** The error of a failed poll. */
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
