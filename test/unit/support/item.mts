/** Items and runs without n8n. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { Item } from '../../../nodes/WalletService/request/run/item.ts';
import { Run } from '../../../nodes/WalletService/request/run/run.ts';

/** @param members further members of the n8n context */
export function itemOf(
	index = 0,
	parameters: Readonly<Record<string, unknown>> = {},
	members: Partial<IExecuteSingleFunctions> = {},
): Item {
	const read = <T,>(name: string, fallback: T) =>
		name in parameters ? parameters[name] : fallback;
	const node = { id: '1', name: 'Node', type: 'walletService', typeVersion: 1, parameters: {} };
	const context = {
		continueOnFail: () => true,
		getMode: () => 'trigger',
		getExecutionId: () => '1',
		getExecutionCancelSignal: () => undefined,
		getNode: () => node,
		...members,
	};
	return { index, context: context as unknown as IExecuteSingleFunctions, read };
}

export const newRun = (options: object = {}): Run =>
	new Run(() => options, { credentialType: 'walletServiceApi' });
