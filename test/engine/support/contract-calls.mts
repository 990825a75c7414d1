import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CONTRACT } from './scripted-world.mts';

/** Parameters of a write that stores one number, with overrides. */
export function storeCall(contractAddress: string, changes: IDataObject = {}): INodeParameters {
	const write = {
		resource: 'contract',
		operation: 'write',
		contractAddress,
		functionSource: 'signature',
		abi: 'store(uint256)',
		argumentsMode: 'json',
		args: '["1"]',
	};
	return { ...write, ...changes } as INodeParameters;
}

/** Parameters of a read by function signature, with Wait Until. */
export const readUntil = (
	abi: string,
	until: object,
	options: object = {},
	more: object = {},
): INodeParameters =>
	storeCall(CONTRACT, {
		operation: 'read',
		abi,
		args: undefined,
		...more,
		options: { maxTries: 1, ...options, waitUntil: { until } },
	});

/** Parameters of a read that differs per item and returns the item's number. */
export const echoCall = (contractAddress: string): INodeParameters =>
	storeCall(contractAddress, {
		operation: 'read',
		abi: 'echoUint(uint256) view returns (uint256)',
		args: '={{ [String($itemIndex)] }}',
	});
