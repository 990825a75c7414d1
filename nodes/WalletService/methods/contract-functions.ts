import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { abbreviatedSignature } from '../contract/source/abbreviated-signature';
import type { ContractAbi } from '../contract/source/abi';
import { functionsFor, parseAbi } from '../contract/source/abi';
import type { ContractOperation } from '../contract/function';
import { functionKey } from '../contract/function';
import { toNodeError } from '../request/failure/node-error';
import { formReader } from '../request/run/read-parameter';
import { contractAbi } from '../resources/contract/parameters';
import { inSentences, InvalidInputError } from '../values/invalid-input';
import { operationOf } from './operation-of';

/** An entry that chooses nothing; n8n shows it while nothing is chosen. */
const nothing = (name: string, description?: string): INodePropertyOptions => ({
	name,
	value: '',
	description,
});

/**
 * What was chosen for the other operation stays chosen when the operation is changed: listed, so that n8n does not show an
 * unknown value in red without a reason.
 */
function strayOptions(abi: ContractAbi, isRead: boolean, chosen: unknown): INodePropertyOptions[] {
	return functionsFor(abi, isRead ? 'write' : 'read')
		.map(functionKey)
		.filter((key) => key === chosen)
		.map((key) => ({
			name: `${key} Is for the Operation ${isRead ? 'Write' : 'Read'}`,
			value: key,
			description: isRead
				? 'It changes state. Choose a function that only reads, or the operation Write.'
				: 'It only reads. Choose a function that changes state, or the operation Read.',
		}));
}

function optionsOf(
	abi: ContractAbi,
	operation: ContractOperation,
	chosen: unknown,
): INodePropertyOptions[] {
	const isRead = operation === 'read';
	const functions = functionsFor(abi, operation).map((fn) => ({
		name: functionKey(fn),
		value: functionKey(fn),
		description: abbreviatedSignature(fn, operation),
	}));
	const unreadable = abi.unreadable && inSentences(abi.unreadable);
	const other = `Use the operation ${isRead ? 'Write' : 'Read'}, or paste another ABI.`;
	const first =
		functions.length > 0
			? nothing('Choose a Function', unreadable)
			: nothing(`The ABI Has No Function to ${isRead ? 'Read' : 'Write'}`, unreadable ?? other);
	return [first, ...functions, ...strayOptions(abi, isRead, chosen)];
}

/**
 * The functions of the pasted ABI that the operation can call, overloads with their full types. The first entry stands for
 * no choice, and says how many functions cannot be read and why there may be none: an error would only show as "Error
 * fetching options".
 */
export async function getContractFunctions(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const read = formReader(this);
	try {
		const pasted = read('contractAbi', '');
		if (pasted === '') return [nothing('Paste the ABI First')];
		const chosen = read('contractFunction', '');
		return optionsOf(parseAbi(pasted, 'contractAbi'), operationOf(this), chosen);
	} catch (error) {
		if (!(error instanceof InvalidInputError))
			throw toNodeError(error, { node: this.getNode(), parameters: [contractAbi] });
		return [nothing('The ABI Cannot Be Read', inSentences(error))];
	}
}
