import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { abbreviatedSignature } from '../contract/abbreviated-signature';
import { functionsFor, parseAbi, unreadableFor } from '../contract/abi';
import { functionKey } from '../contract/function';
import type { UnreadableEntry } from '../contract/unreadable-entry';
import { unreadableNote } from '../contract/unreadable-entry';
import { toNodeError } from '../request/failure/node-error';
import { contractAbi } from '../resources/contract/parameters';
import { quote } from '../values/quote';
import { operationOf } from './operation-of';

/** Listed as well, so that nobody searches for a missing function; choosing it shows the same problem. */
function unreadableOption({ place, label, problem }: UnreadableEntry): INodePropertyOptions {
	return {
		name: `${quote(label)} Cannot Be Read`,
		value: place,
		description: `${problem.message}. ${problem.hint}.`,
	};
}

/**
 * The functions of the pasted ABI that the operation can call, overloads with their full types; then the entries that
 * cannot be read.
 *
 * @throws NodeOperationError, which the editor shows at the parameter: an ABI that cannot be read, or without a
 * function for the operation, must not look like an empty list.
 */
export async function getContractFunctions(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const operation = operationOf(this);
	let unreadable: readonly UnreadableEntry[];
	try {
		const abi = parseAbi(this.getCurrentNodeParameter('contractAbi'));
		const functions = functionsFor(abi, operation);
		unreadable = unreadableFor(abi, operation);
		if (functions.length > 0) {
			const options = functions.map((fn) => ({
				name: functionKey(fn),
				value: functionKey(fn),
				description: abbreviatedSignature(fn, operation),
			}));
			return [...options, ...unreadable.map(unreadableOption)];
		}
	} catch (error) {
		throw toNodeError(error, { node: this.getNode(), parameters: [contractAbi] });
	}
	const isRead = operation === 'read';
	throw new NodeOperationError(
		this.getNode(),
		`The ABI has no ${isRead ? 'view or pure' : 'state-changing'} function${unreadableNote(unreadable)}`,
		{ description: `Use the operation ${isRead ? 'Write' : 'Read'}, or paste another ABI` },
	);
}
