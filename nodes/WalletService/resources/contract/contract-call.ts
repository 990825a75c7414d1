import { argumentsFromFields, fieldIds } from '../../contract/arguments';
import type { ContractOperation } from '../../contract/function';
import { assertCallable } from '../../contract/guards';
import { findFunction, parseAbi } from '../../contract/source/abi';
import { parseSignature } from '../../contract/source/signature';
import { refuseLookalike } from '../../contract/token-moves';
import { findCommonFunction } from '../../contract/token-standards';
import type { ReadParameter } from '../../request/run/read-parameter';
import { readOptions } from '../../request/run/read-parameter';
import { keepingLast } from '../../values/caches';
import { CONTRACT_PAGE, parseAddressOrPage } from '../../values/urls';
import { NATIVE_COIN, readNativeCoin } from './call-options';
import type { PlannedCall } from '../look-ups/look-ups';
import type { Field } from '../../values/invalid-input';
import { refuse } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import { argumentsAsJson, AS_JSON, commonFunctionFor, functionSource } from './parameters';

export interface ChosenFunction extends Pick<PlannedCall, 'contractFunction' | 'standard'> {
	/** The parameter that selects the function, for errors. */
	readonly parameter: string;
}

/** Usually all items of a run use the same signature. */
const functionOf = keepingLast((text: unknown, operation: ContractOperation) => {
	const fn = parseSignature(text, 'abi', operation);
	refuseLookalike(fn, 'abi');
	return fn;
});

/** Reads the function that the parameters select. @throws InvalidInputError that names the parameter. */
export async function chosenFunction(
	read: ReadParameter,
	operation: ContractOperation,
): Promise<ChosenFunction> {
	const source = read(functionSource.name, functionSource.default);
	switch (source) {
		case 'signature': {
			return { contractFunction: functionOf(read('abi', ''), operation), parameter: 'abi' };
		}
		case 'contractAbi': {
			const parameter = 'contractFunction';
			const functions = await parseAbi(read('contractAbi', ''), 'contractAbi');
			const id = read(parameter, '');
			const contractFunction = findFunction(functions, id, { parameter, operation });
			refuseLookalike(contractFunction, parameter);
			return { contractFunction, parameter };
		}
		case 'commonFunction': {
			const { name: parameter, default: first } = commonFunctionFor[operation];
			const id = read(parameter, first);
			const { fn, standard } = findCommonFunction(id, { parameter, operation });
			return { contractFunction: fn, standard, parameter };
		}
	}
	const message = `${quote(source)} is not a function source`;
	const hint = 'Choose commonFunction, contractAbi or signature';
	return refuse(functionSource.name, message, hint);
}

/** The place of the arguments if they are JSON, under Options or as earlier versions of the node had it; otherwise `undefined`. */
export function placeOfJson(read: ReadParameter): Field | undefined {
	if (Object.hasOwn(readOptions(read), argumentsAsJson.name)) return AS_JSON;
	const mode = read('argumentsMode', 'fields');
	if (mode === 'json') return argumentsAsJson.name;
	if (mode === 'fields') return undefined;
	return refuse(
		'argumentsMode',
		`${quote(mode)} is not an arguments mode`,
		'Choose fields or json',
	);
}

/** Reads the arguments from fields or JSON. @throws InvalidInputError that names an empty field. */
function chosenArguments(
	{ contractFunction: fn, standard }: ChosenFunction,
	read: ReadParameter,
): Pick<PlannedCall, 'args' | 'parameter' | 'needsUnit'> {
	const parameter = placeOfJson(read);
	if (parameter !== undefined) return { args: read([parameter].flat().join('.'), []), parameter };
	const form = read('arguments', {}, true);
	const { value: stored, schema, mappingMode } = isObject(form) ? form : {};
	// Only an untouched toggle of the form is off; an expression for all fields can omit one by mistake.
	const isForm = typeof stored !== 'string' && mappingMode === 'defineBelow';
	const fields = Array.isArray(schema) ? schema.filter(isObject) : [];
	const isShown = (id: string): boolean =>
		isForm && fields.some((field) => field.id === id && field.removed !== true);
	const given = read('arguments.value', {});
	const values = Object.entries(isObject(given) ? given : {});
	const filled = values.filter(([, value]) => value !== null);
	const args = argumentsFromFields(fn, Object.fromEntries(isForm ? values : filled), isShown);
	const own: unknown[] = fieldIds(fn);
	const known = [...own, ...(isForm ? fields.map(({ id }) => id) : [])];
	const unknown = filled.find(([id]) => !known.includes(id));
	if (unknown !== undefined) {
		const hint = `Correct or remove it. Known entries: ${own.join(', ')}`;
		refuse('arguments', `Unknown entry ${quote(unknown[0])}`, hint);
	}
	// Users who choose a function from the list and fill in fields think in whole tokens, not in base units.
	return { args, parameter: 'arguments', needsUnit: standard !== undefined };
}

/** Reads the contract call that an item's parameters describe. @throws InvalidInputError that names the parameter. */
export async function planCall(
	read: ReadParameter,
	operation: ContractOperation,
): Promise<PlannedCall> {
	const given = read('contractAddress', '');
	const contractAddress = parseAddressOrPage(given, 'contractAddress', CONTRACT_PAGE, 'a contract');
	const chosen = await chosenFunction(read, operation);
	const { contractFunction, standard, parameter } = chosen;
	const value = operation === 'write' ? readNativeCoin(read) : undefined;
	const fields = { function: parameter, value: NATIVE_COIN };
	assertCallable(contractFunction, operation, fields, value);
	return { contractFunction, standard, contractAddress, ...chosenArguments(chosen, read), value };
}
