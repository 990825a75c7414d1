import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { functionsFor, parseAbi } from '../contract/abi';
import { abbreviatedSignature } from '../contract/abbreviated-signature';
import { functionKey } from '../contract/function';
import { toNodeError } from '../request/node-error';
import { operationOf } from './operation-of';

/**
 * The functions of the pasted ABI that the operation can call, overloads with their full types.
 *
 * @throws NodeOperationError, which the editor shows at the parameter: an ABI that cannot be read, or without a
 * function for the operation, must not look like an empty list.
 */
export async function getContractFunctions(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const operation = operationOf(this);
	try {
		const functions = functionsFor(
			parseAbi(this.getCurrentNodeParameter('contractAbi')),
			operation,
		);
		if (functions.length > 0) {
			return functions.map((fn) => ({
				name: functionKey(fn),
				value: functionKey(fn),
				description: abbreviatedSignature(fn, operation),
			}));
		}
	} catch (error) {
		throw toNodeError(error, { node: this.getNode() });
	}
	const isRead = operation === 'read';
	throw new NodeOperationError(
		this.getNode(),
		`The ABI has no ${isRead ? 'view or pure' : 'state-changing'} function`,
		{ description: `Use the operation ${isRead ? 'Write' : 'Read'}, or paste another ABI` },
	);
}
