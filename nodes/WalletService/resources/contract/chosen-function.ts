import { findFunction, parseAbi } from '../../contract/abi';
import { commonFunction } from '../../contract/common-functions';
import type { ContractFunction } from '../../contract/function';
import { parseSignature } from '../../contract/signature';
import type { ReadParameter } from '../../request/run/read-parameter';
import { InvalidInputError } from '../../values/invalid-input';
import { quote } from '../../values/quote';

/** The function that an item calls. */
export interface ChosenFunction {
	readonly contractFunction: ContractFunction;
	/** The parameter that chose it, for errors. */
	readonly parameter: string;
}

/** The last signature that was parsed: a run parses the same one for each of its items. */
let last: { readonly text: unknown; readonly contractFunction: ContractFunction } | undefined;

function functionOfSignature(text: unknown): ContractFunction {
	if (last === undefined || last.text !== text) {
		last = { text, contractFunction: parseSignature(text, 'abi') };
	}
	return last.contractFunction;
}

/**
 * The function that the parameters choose, from whichever source.
 *
 * @throws InvalidInputError that names the parameter.
 */
export function chosenFunction(read: ReadParameter): ChosenFunction {
	const source = read('functionSource', 'signature');
	switch (source) {
		case 'signature':
			return { contractFunction: functionOfSignature(read('abi', '')), parameter: 'abi' };
		case 'contractAbi': {
			const parameter = 'contractFunction';
			const functions = parseAbi(read('contractAbi', ''), 'contractAbi');
			return {
				contractFunction: findFunction(functions, read(parameter, ''), parameter),
				parameter,
			};
		}
		case 'commonFunction': {
			const parameter = 'commonFunction';
			return { contractFunction: commonFunction(read(parameter, ''), parameter), parameter };
		}
		default:
			throw new InvalidInputError({
				parameter: 'functionSource',
				value: source,
				message: `${quote(source)} is not a source of a function`,
				hint: 'Choose signature, contractAbi or commonFunction',
			});
	}
}
