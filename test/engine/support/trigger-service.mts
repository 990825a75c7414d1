import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../../../sandbox/src/faults/fault.mts';
import { LoadedNodeTypes } from './node-types.mts';
import type { Activation } from './poller.mts';
import { Poller } from './poller.mts';
import { Service, type Username } from '../../support/sandbox/service.mts';
import { useResources } from '../../support/resources.mts';

/** Seeded users: the first has transfers from the start; the last has none, and nothing else. */
export const NELLY = 'Nelly';
export const RAHUL = 'Rahul Sen';
export const NEWCOMER = 'newcomer';

/** Faults by which a look of the trigger gets no answer that it could use. */
export const UNUSABLE_ANSWERS: FaultKind[] = [
	...(['wrong-shape', 'null', 'html', 'empty', 'broken-json', 'truncated-json'] as const),
	...(['failed', 'status-text', 'drop-before'] as const),
];

/** Submits a contract call as a user, and gives its transaction hash. */
export async function write(
	service: Service,
	username: Username,
	call: { address: string; abi: string; args: string[] },
): Promise<string> {
	const { data } = await axios.post<{ hash: string }>(
		`${service.ready.baseUrl}/v1/contracts/method/write`,
		call,
		{ headers: { Authorization: `Bearer ${service.user(username).accessToken}` } },
	);
	return data.hash;
}

/** Makes new tokens, dollars unless another token is given, and gives them to a user. */
export async function mint(
	service: Service,
	username: Username,
	amount: string,
	address = service.contracts.usd,
): Promise<string> {
	const args = [service.user(username).address, amount];
	return await write(service, username, { address, abi: 'mint(address,uint256)', args });
}

/** A trigger with Nelly's credential that tries each request once: pauses would only make tests longer. */
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

/** A trigger over the reference service; to be used inside a test. */
export interface TriggerService {
	service(): Service;
	/** See {@link createPoller}. */
	poller(parameters: INodeParameters, more?: Partial<Activation>): Poller;
	/** Id of a seeded user. */
	idOf(username: Username): string;
}

/** Starts a service before the tests of a file, and ends it after them; its faults end with each test. */
export function useTriggerService(): TriggerService {
	let started: { nodeTypes: LoadedNodeTypes; service: Service } | undefined;
	const resources = useResources();
	beforeAll(async () => {
		const [nodeTypes, service] = await Promise.all([
			LoadedNodeTypes.load(),
			resources.use(Service.start()),
		]);
		started = { nodeTypes, service };
	});
	afterEach(async () => await started?.service.faults.reset());
	const present = () => {
		if (started === undefined) throw new Error('The service has not started');
		return started;
	};
	return {
		service: () => present().service,
		poller: (parameters, more) =>
			createPoller(present().nodeTypes, present().service, parameters, more),
		idOf: (username) => present().service.user(username).id,
	};
}

/** The error with which a poll ends. */
export async function failureOf(
	polling: Promise<unknown>,
): Promise<{ message: string; description?: string }> {
	try {
		await polling;
	} catch (error) {
		if (error instanceof Error) return error;
	}
	throw new Error('The poll did not fail');
}
