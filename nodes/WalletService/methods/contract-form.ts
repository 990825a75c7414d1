import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { argumentFieldsOf } from '../contract/arguments';
import type { ContractOperation } from '../contract/function';
import { abbreviatedSignature } from '../contract/function';
import { AS_VIEW } from '../contract/guards';
import type { ContractAbi } from '../contract/source/abi';
import { functionsFor, parseAbi } from '../contract/source/abi';
import { toNodeError } from '../request/failure/node-error';
import type { ReadParameter } from '../request/run/read-parameter';
import { formReader } from '../request/run/read-parameter';
import { chosenFunction } from '../resources/contract/contract-call';
import { contractAbi } from '../resources/contract/parameters';
import { inSentences, InvalidInputError } from '../values/invalid-input';

const operationOf = (read: ReadParameter): ContractOperation =>
	read('operation', 'read') === 'write' ? 'write' : 'read';

const UNDECLARED = ', not declared whether it only reads';

const NONE = { read: 'The ABI Has No Read Functions', write: 'The ABI Has No Write Functions' };
const OTHERWISE = {
	read: `Use the Write operation, or paste another ABI. ${AS_VIEW}.`,
	write: 'Use the Read operation, or paste another ABI.',
};

/** A placeholder entry, shown while nothing is chosen. */
const nothing = (name: string, description?: string): INodePropertyOptions => ({
	name,
	value: '',
	description,
});

function functionChoices(abi: ContractAbi, operation: ContractOperation): INodePropertyOptions[] {
	const functions = functionsFor(abi, operation).map((fn) => ({
		name: fn.key,
		value: fn.key,
		description: `${abbreviatedSignature(fn, operation)}${fn.stateMutability === undefined ? UNDECLARED : ''}`,
	}));
	const unreadable = abi.unreadable && inSentences(abi.unreadable);
	const note = [unreadable ?? [], abi.advice ? `${abi.advice}.` : []].flat().join(' ') || undefined;
	const first =
		functions.length > 0
			? nothing('Choose a Function', note)
			: nothing(NONE[operation], note ?? OTHERWISE[operation]);
	return [first, ...functions];
}

/**
 * Lists the functions of the pasted ABI that the operation can call, with their full types. The first entry is a
 * placeholder that reports unreadable functions, or why there are none: an error would only be shown as "Error fetching
 * options".
 */
export async function getContractFunctions(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const read = formReader(this);
	try {
		const pasted = read('contractAbi', '');
		if (pasted === '') return [nothing('Paste the ABI First')];
		return functionChoices(await parseAbi(pasted, 'contractAbi'), operationOf(read));
	} catch (error) {
		if (!(error instanceof InvalidInputError))
			throw toNodeError(error, { node: this.getNode(), parameters: [contractAbi] });
		return [nothing('The ABI Cannot Be Read', inSentences(error))];
	}
}

/** Whether nothing has been chosen yet, which is not an error. */
function isUntouched(read: ReadParameter): boolean {
	const source = read('functionSource', '');
	const isEmpty = (name: string): boolean => read(name, '') === '';
	if (source === 'signature') return isEmpty('abi');
	return source === 'contractAbi' && (isEmpty('contractAbi') || isEmpty('contractFunction'));
}

/**
 * Returns one field for each argument of the chosen function. Without fields, the editor shows a notice with the reason;
 * an error would only be shown as "Can't get arguments".
 */
export async function getArgumentFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const read = formReader(this);
	try {
		if (isUntouched(read)) {
			const emptyFieldsNotice = 'Choose a function first: its arguments appear here.';
			return { fields: [], emptyFieldsNotice };
		}
		const { contractFunction } = await chosenFunction(read, operationOf(read));
		return {
			fields: argumentFieldsOf(contractFunction),
			emptyFieldsNotice: 'This function takes no arguments.',
		};
	} catch (error) {
		if (!(error instanceof InvalidInputError))
			throw toNodeError(error, { node: this.getNode(), parameters: [] });
		return { fields: [], emptyFieldsNotice: inSentences(error) };
	}
}
