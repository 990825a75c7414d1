import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { functionKey } from '../../contract/function';
import { refuseLookalike } from '../../contract/guards';
import { parseSignature } from '../../contract/source/signature';
import { inBaseUnits, NATIVE_FORMS, readWritten, UNIT_DECIMALS } from '../../values/amount';
import { formatUnitsExact } from '../../values/decimal';
import { InvalidInputError } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { entriesOf, inCredential, readAllowedContracts, refuseField } from './policy-lists';

/** A write as the policy sees it. */
export interface PlannedWrite {
	readonly contractAddress: string;
	/** Full types, for example `transfer(address,uint256)`. */
	readonly functionKey: string;
	/** The first four bytes of the calldata, for example `0xa9059cbb`. */
	readonly selector: string;
	/** Native coin sent along, in wei. */
	readonly value: bigint;
}

/** What the owner of a token allows to all workflows and agents that use it. */
export interface SpendingPolicy {
	readonly allowWrites: boolean;
	/** Lower-case addresses; empty allows every contract. */
	readonly contracts: ReadonlySet<string>;
	/** Full types without white space, or lower-case selectors; empty allows every function. */
	readonly functions: ReadonlySet<string>;
	/** In wei; `undefined` sets no limit. */
	readonly maxValuePerCall: bigint | undefined;
	/** In wei; `undefined` sets no limit. */
	readonly maxValuePerExecution: bigint | undefined;
}

function readLimit(value: unknown, field: string): bigint | undefined {
	if (typeof value !== 'string')
		return refuseField(field, value, 'an amount with a unit, such as 0.1 ether');
	if (value.trim() === '') return undefined;
	// 10 ether or 10 wei? The form asks for a unit, and nothing is guessed.
	if (/^\s*0*[1-9]\d*\s*$/.test(value))
		refuseField(field, value, 'an amount with a unit, such as 0.1 ether');
	const parameter = inCredential(field);
	const limit = inBaseUnits(readWritten(value, parameter, NATIVE_FORMS), parameter);
	return limit < 0n ? refuseField(field, value, 'an amount of 0 or more') : limit;
}

function readAllowWrites(value: unknown): boolean {
	if (typeof value === 'boolean') return value;
	return refuseField('Allow Writes', value, 'true or false');
}

function functionEntry(entry: string, parameter: string): string {
	if (/^0x[0-9a-f]{8}$/i.test(entry)) return entry.toLowerCase();
	const fn = parseSignature(entry, parameter);
	refuseLookalike(fn, parameter);
	return functionKey(fn);
}

/**
 * Reads the spending policy of a credential. It fails closed: a field that is missing, of another type than the form's, or
 * unreadable forbids all writes.
 *
 * @throws InvalidInputError that names the field.
 * @example readSpendingPolicy({ allowWrites: true, allowedContracts: '' }) // throws InvalidInputError
 */
export function readSpendingPolicy(credential: ICredentialDataDecryptedObject): SpendingPolicy {
	const functions = entriesOf(credential.allowedFunctions, 'Allowed Functions').map((entry) =>
		functionEntry(entry, inCredential('Allowed Functions')),
	);
	return {
		allowWrites: readAllowWrites(credential.allowWrites),
		contracts: new Set(readAllowedContracts(credential)),
		functions: new Set(functions),
		maxValuePerCall: readLimit(credential.maxValuePerCall, 'Max Native Coin per Call'),
		maxValuePerExecution: readLimit(
			credential.maxValuePerExecution,
			'Max Native Coin per Execution',
		),
	};
}

const inEther = (wei: bigint): string =>
	`${formatUnitsExact(wei, UNIT_DECIMALS.ether)} ether (${wei} wei)`;

function refuse(rule: string, message: string): never {
	throw new InvalidInputError({
		code: 'policy-refused',
		message: `Refused by the spending policy of the credential, rule "${rule}": ${message}`,
		hint: `Nothing was sent. Whoever owns the credential can change "${rule}" in it.`,
	});
}

/**
 * Checks a write against the policy before it is sent.
 *
 * @param spent native coin that this execution has already sent with this credential, in wei
 * @throws InvalidInputError that names the rule.
 * @example
 * const policy = { allowWrites: true, contracts: new Set(), functions: new Set(['pause()']) };
 * const write = { contractAddress: '0x00', functionKey: 'burn(uint256)', selector: '0x42966c68', value: 0n };
 * assertAllowed(policy, write, 0n) // throws InvalidInputError
 */
export function assertAllowed(policy: SpendingPolicy, write: PlannedWrite, spent: bigint): void {
	const { contracts, functions, maxValuePerCall, maxValuePerExecution } = policy;
	if (!policy.allowWrites) refuse('Allow Writes', 'writes are switched off');
	if (contracts.size > 0 && !contracts.has(write.contractAddress.toLowerCase())) {
		refuse('Allowed Contracts', `${quote(write.contractAddress)} is not in the list`);
	}
	const isKnown = functions.has(write.functionKey) || functions.has(write.selector.toLowerCase());
	if (functions.size > 0 && !isKnown) {
		refuse('Allowed Functions', `${write.functionKey} (${write.selector}) is not in the list`);
	}
	if (maxValuePerCall !== undefined && write.value > maxValuePerCall) {
		refuse(
			'Max Native Coin per Call',
			`the call sends ${inEther(write.value)}, the limit is ${inEther(maxValuePerCall)}`,
		);
	}
	if (maxValuePerExecution !== undefined && spent + write.value > maxValuePerExecution) {
		refuse(
			'Max Native Coin per Execution',
			`this execution has sent ${inEther(spent)} and would send ${inEther(write.value)} more, the limit is ${inEther(maxValuePerExecution)}`,
		);
	}
}
