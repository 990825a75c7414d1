import type { TransactionResponse } from 'ethers';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Engine, EngineResult } from './engine.mts';
import { CONTRACT } from './scripted-world.mts';
import type { Service } from '../../support/sandbox/service.mts';

/** Parameters of a write of one number, with changes. */
export function storeCall(contractAddress: string, changes: IDataObject = {}): INodeParameters {
	const write = {
		resource: 'contract',
		functionSource: 'signature',
		operation: 'write',
		contractAddress,
		abi: 'store(uint256)',
		argumentsMode: 'json',
		args: '["1"]',
	};
	return { ...write, ...changes } as INodeParameters;
}

/** Parameters of a read by a signature, with Wait Until. */
export const readUntil = (
	abi: string,
	until: object,
	options: object = {},
	more: object = {},
): INodeParameters =>
	storeCall(CONTRACT, {
		...{ operation: 'read', abi, args: undefined, ...more },
		options: { maxTries: 1, ...options, waitUntil: { until } },
	});

/** Parameters of a read that is another one for each item, whose number it gives back. */
export const echoCall = (contractAddress: string): INodeParameters =>
	storeCall(contractAddress, {
		operation: 'read',
		abi: 'echoUint(uint256) view returns (uint256)',
		args: '={{ [String($itemIndex)] }}',
	});

/** Runs Contract: Read or Contract: Write of the first seeded user, on the sandbox's contract of all shapes unless another is named. */
export async function runContract(
	engine: Engine,
	service: Service,
	operation: string,
	parameters: INodeParameters,
	items?: object[],
): Promise<EngineResult> {
	return await engine.run({
		parameters: {
			resource: 'contract',
			functionSource: 'signature',
			operation,
			contractAddress: service.contracts.shapes,
			...parameters,
		},
		credential: service.credential(),
		items: items?.map((item) => ({ ...item })),
	});
}

/** Runs Contract: Write; gives the transaction that it submitted, and its item. */
export async function submitted(
	engine: Engine,
	service: Service,
	parameters: INodeParameters,
): Promise<{ transaction: TransactionResponse; item: IDataObject | undefined }> {
	const { items, error } = await runContract(engine, service, 'write', parameters);
	expect(error).toBeUndefined();
	const transaction = await service.chain.getTransaction(String(items[0]?.json.hash));
	if (transaction === null) throw new Error('There is no such transaction');
	return { transaction, item: items[0]?.json };
}
