import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { selector } from '../../contract/call';
import { functionKey } from '../../contract/function';
import { refuseLookalike } from '../../contract/guards';
import { parseSignature } from '../../contract/source/signature';
import { parseAddress } from '../../values/address';
import { inBaseUnits, NATIVE_FORMS, readWritten, UNIT_DECIMALS } from '../../values/amount';
import { InvalidInputError, POLICY_FIELD, refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { formatUnitsExact } from '../../values/decimal';

/** What the owner of a credential allows to all workflows and agents that use it. */
export interface SpendingPolicy {
	readonly allowWrites: boolean;
	/** Lower-case addresses; empty allows every contract. */
	readonly contracts: readonly string[];
	/** Full types without white space, or lower-case selectors; empty allows every function. */
	readonly functions: readonly string[];
	/** In wei; `undefined` sets no limit. */
	readonly maxValuePerCall: bigint | undefined;
	readonly maxValuePerExecution: bigint | undefined;
}

/** Name of a field of the credential, for errors. */
const inCredential = (field: string): string => `${POLICY_FIELD}${field}`;

/** Refuses a field of the policy. @throws InvalidInputError that names the field. */
function refuseField(field: string, value: unknown, expected: string): never {
	refuse(
		inCredential(field),
		value,
		`${quote(value)} is not ${expected}, so that nobody knows what it allows`,
		'A policy that cannot be read forbids all writes. Whoever owns the credential can correct the field in it',
	);
}

/** Entries of text, separated by line breaks, semicolons, or commas that are not inside parentheses. */
function splitEntries(text: string): string[] {
	const entries = [''];
	let depth = 0;
	for (const character of text) {
		if (character === '(') depth += 1;
		if (character === ')') depth -= 1;
		const separates = character === '\n' || character === ';' || (character === ',' && depth <= 0);
		if (separates) entries.push('');
		else entries.push(`${entries.pop() ?? ''}${character}`);
	}
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** White space and separators alone are what expressions without a result leave: not an empty list, which allows all. */
const isReadable = (text: unknown): text is string =>
	typeof text === 'string' && (text === '' || splitEntries(text).length > 0);

/** Entries of a list field, which is text, or a list of strings from an expression. */
function readList<T>(value: unknown, field: string, read: (entry: string, parameter: string) => T) {
	const texts: unknown[] = Array.isArray(value) ? value : [value];
	const entries = texts.flatMap((text) =>
		isReadable(text) ? splitEntries(text) : refuseField(field, value, 'a list of texts'),
	);
	return entries.map((entry) => read(entry, inCredential(field)));
}

function readFunction(entry: string, parameter: string): string {
	if (/^0x[0-9a-f]{8}$/i.test(entry)) return entry.toLowerCase();
	const fn = parseSignature(entry, parameter);
	refuseLookalike(fn, parameter);
	return functionKey(fn);
}

function readMaxValue(value: unknown, field: string): bigint | undefined {
	const isText = typeof value === 'string';
	// 10 ether or 10 wei? The form asks for a unit, and nothing is guessed.
	if (!isText || /^\s*0*[1-9]\d*\s*$/.test(value))
		return refuseField(field, value, 'an amount with a unit, such as 0.1 ether');
	// White space is not empty: expressions without a result leave it.
	if (value === '') return undefined;
	const parameter = inCredential(field);
	const limit = inBaseUnits(readWritten(value, parameter, NATIVE_FORMS), parameter);
	return limit < 0n ? refuseField(field, value, 'an amount of 0 or more') : limit;
}

/**
 * The contracts that a credential allows, in lower case; none where it allows every contract.
 *
 * @throws InvalidInputError that names the field, when it cannot be read.
 * @example readAllowedContracts({ allowedContracts: '' }) // []
 */
export function readAllowedContracts(credential: ICredentialDataDecryptedObject): string[] {
	return readList(credential.allowedContracts, 'Allowed Contracts', (entry, parameter) =>
		parseAddress(entry, parameter).toLowerCase(),
	);
}

/**
 * Reads the spending limits of a credential. They fail closed: a field that is missing, of another type than the form's, or
 * unreadable forbids all writes.
 *
 * @throws InvalidInputError that names the field.
 * @example readSpendingPolicy({ allowWrites: true, allowedContracts: '' }) // throws InvalidInputError
 */
export function readSpendingPolicy(credential: ICredentialDataDecryptedObject): SpendingPolicy {
	const { allowWrites, allowedFunctions, maxValuePerCall, maxValuePerExecution } = credential;
	return {
		allowWrites:
			typeof allowWrites === 'boolean'
				? allowWrites
				: refuseField('Allow Writes', allowWrites, 'true or false'),
		contracts: readAllowedContracts(credential),
		functions: readList(allowedFunctions, 'Allowed Functions', readFunction),
		maxValuePerCall: readMaxValue(maxValuePerCall, 'Max Native Coin per Call'),
		maxValuePerExecution: readMaxValue(maxValuePerExecution, 'Max Native Coin per Execution'),
	};
}

const inEther = (wei: bigint): string =>
	`${formatUnitsExact(wei, UNIT_DECIMALS.ether)} ether (${wei} wei)`;

function forbid(rule: string, message: string): never {
	throw new InvalidInputError({
		code: 'policy-refused',
		message: `Refused by the spending limits of the credential, rule "${rule}": ${message}`,
		hint: `Nothing was sent. Whoever owns the credential can change "${rule}" in it.`,
	});
}

/**
 * Checks a write against the policy of its credential, rule by rule, before it is sent.
 *
 * @param spent native coin that this execution has already sent with this credential, in wei
 * @throws InvalidInputError that names the rule, or the field that cannot be read.
 * @example
 * const contractFunction = parseSignature('pause()');
 * const checked = { call: { address: '0x00', args: [] }, contractFunction };
 * const policy = { allowedContracts: '', allowedFunctions: 'burn(uint256)', maxValuePerCall: '', maxValuePerExecution: '' };
 * assertAllowed({ allowWrites: true, ...policy }, checked, 0n) // throws InvalidInputError
 */
export function assertAllowed(
	credential: ICredentialDataDecryptedObject,
	{ call, contractFunction }: CheckedCall,
	spent: bigint,
): void {
	const policy = readSpendingPolicy(credential);
	const { contracts, functions, maxValuePerCall, maxValuePerExecution } = policy;
	if (!policy.allowWrites) forbid('Allow Writes', 'writes are switched off');
	if (contracts.length > 0 && !contracts.includes(call.address.toLowerCase())) {
		forbid('Allowed Contracts', `${quote(call.address)} is not in the list`);
	}
	if (functions.length > 0) {
		const names = [functionKey(contractFunction), selector(contractFunction)];
		if (!names.some((name) => functions.includes(name)))
			forbid('Allowed Functions', `${names[0]} (${names[1]}) is not in the list`);
	}
	const value = BigInt(call.value ?? 0);
	if (maxValuePerCall !== undefined && value > maxValuePerCall) {
		const message = `the call sends ${inEther(value)}, the limit is ${inEther(maxValuePerCall)}`;
		forbid('Max Native Coin per Call', message);
	}
	if (maxValuePerExecution !== undefined && spent + value > maxValuePerExecution) {
		const message = `this execution has sent ${inEther(spent)} and would send ${inEther(value)} more, the limit is ${inEther(maxValuePerExecution)}`;
		forbid('Max Native Coin per Execution', message);
	}
}
