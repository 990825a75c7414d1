import type { INodeParameters } from 'n8n-workflow';

import type { SandboxContracts } from '../../../sandbox/src/ready.mts';
import { useNodeTypes } from './node-types.mts';
import type { Activation } from './poller.mts';
import { Poller } from './poller.mts';
import type { UsableService } from './use-node.mts';
import { type Username, useService } from '../../support/sandbox/service.mts';

type Contract = keyof SandboxContracts;

/** Lets the tests of a file create triggers for a service, and resets its faults after each test. */
export function useTrigger<Watched extends UsableService>(service: () => Watched) {
	const nodeTypes = useNodeTypes();
	afterEach(async () => await service().faults?.reset());
	/** A trigger with the service's credential and a single attempt per request: retries would only make tests longer. */
	const poller = (parameters: INodeParameters, more: Partial<Activation> = {}): Poller =>
		new Poller(nodeTypes(), {
			parameters: { options: { maxTries: 1 }, ...parameters },
			credential: service().credential(),
			...more,
		});
	return { service, poller };
}

/** Lets the tests of a file create triggers for the reference service and its users. */
export function useTriggerService(env?: Record<string, string>) {
	const trigger = useTrigger(useService(env));
	const { service } = trigger;
	/** Mints base units of a token for a user. */
	const mint = async (name: Username, amount: string, token: Contract = 'usd') =>
		await service().submit(name, token, 'mint(address,uint256)', [
			service().user(name).address,
			amount,
		]);
	return { ...trigger, mint, idOf: (username: Username) => service().user(username).id };
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
