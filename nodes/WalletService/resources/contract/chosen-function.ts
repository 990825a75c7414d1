import { findFunction, parseAbi } from '../../contract/source/abi';
import { findCommonFunction } from '../../contract/token-standards';
import type { ContractFunction, ContractOperation } from '../../contract/function';
import { parseSignature } from '../../contract/source/signature';
import type { ReadParameter } from '../../request/run/read-parameter';
import { InvalidInputError } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { commonFunctionFor, functionSource } from './parameters';

/** The function that an item calls. */
export interface ChosenFunction {
	readonly contractFunction: ContractFunction;
	/** The parameter that chose it, for errors. */
	readonly parameter: string;
}

/** The last signature that was parsed: a run parses the same one for each of its items. */
let last: { readonly text: unknown; readonly contractFunction: ContractFunction } | undefined;

function functionOfSignature(text: unknown, operation: ContractOperation): ContractFunction {
	if (last === undefined || last.text !== text) {
		last = { text, contractFunction: parseSignature(text, 'abi', operation) };
	}
	return last.contractFunction;
}

/**
 * The function that the parameters choose, from whichever source.
 *
 * @throws InvalidInputError that names the parameter.
 */
export function chosenFunction(read: ReadParameter, operation: ContractOperation): ChosenFunction {
	const source = read(functionSource.name, functionSource.default);
	switch (source) {
		case 'signature':
			return {
				contractFunction: functionOfSignature(read('abi', ''), operation),
				parameter: 'abi',
			};
		case 'contractAbi': {
			const parameter = 'contractFunction';
			const functions = parseAbi(read('contractAbi', ''), 'contractAbi');
			return {
				contractFunction: findFunction(functions, read(parameter, ''), { parameter, operation }),
				parameter,
			};
		}
		case 'commonFunction': {
			const { name: parameter, default: first } = commonFunctionFor[operation];
			const id = read(parameter, first);
			return { contractFunction: findCommonFunction(id, { parameter, operation }), parameter };
		}
		default:
			throw new InvalidInputError({
				parameter: 'functionSource',
				value: source,
				message: `${quote(source)} is not a source of a function`,
				hint: 'Choose commonFunction, contractAbi or signature',
			});
	}
}
