import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { parseAddress } from '../values/address';
import { InvalidInput } from '../values/invalid-input';
import { quote } from '../values/quote';
import { formatUnitsExact, parseAmount, UNIT_DECIMALS } from '../values/units';

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

/** What the owner of a token allows all workflows and agents that use it. */
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

/** Entries of a list: separated by line breaks, semicolons, or commas that are not inside parentheses. */
function entriesOf(value: unknown): string[] {
	const entries = [''];
	let depth = 0;
	for (const character of typeof value === 'string' ? value : '') {
		if (character === '(') depth += 1;
		if (character === ')') depth -= 1;
		const separates = character === '\n' || character === ';' || (character === ',' && depth <= 0);
		if (separates) entries.push('');
		else entries.push(`${entries.pop() ?? ''}${character}`);
	}
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function readLimit(value: unknown, parameter: string): bigint | undefined {
	const isEmpty = value === undefined || (typeof value === 'string' && value.trim() === '');
	return isEmpty ? undefined : parseAmount(value, { parameter });
}

/**
 * The policy that a credential holds.
 *
 * @param canonicalFunction brings a signature into the form `name(types)`
 * @throws InvalidInput when an entry cannot be read: a limit that nobody understands must not count as none.
 */
export function readSpendingPolicy(
	credential: ICredentialDataDecryptedObject,
	canonicalFunction: (signature: string) => string,
): SpendingPolicy {
	const contracts = entriesOf(credential.allowedContracts).map((entry) =>
		parseAddress(entry, 'Credential: Allowed Contracts').toLowerCase(),
	);
	const functions = entriesOf(credential.allowedFunctions).map((entry) =>
		/^0x[0-9a-f]{8}$/i.test(entry) ? entry.toLowerCase() : canonicalFunction(entry),
	);
	return {
		allowWrites: credential.allowWrites !== false,
		contracts: new Set(contracts),
		functions: new Set(functions),
		maxValuePerCall: readLimit(credential.maxValuePerCall, 'Credential: Max Value per Call'),
		maxValuePerExecution: readLimit(
			credential.maxValuePerExecution,
			'Credential: Max Value per Execution',
		),
	};
}

const inEther = (wei: bigint): string =>
	`${formatUnitsExact(wei, UNIT_DECIMALS.ether)} ether (${wei} wei)`;

function refuse(rule: string, message: string): never {
	throw new InvalidInput({
		message: `Refused by the spending policy of the credential, rule "${rule}": ${message}`,
		hint: `Nothing was sent. Whoever owns the credential can change "${rule}" in it.`,
	});
}

/**
 * Checks a write against the policy before it is sent.
 *
 * @param spent native coin that this execution has already sent with this credential, in wei
 * @throws InvalidInput that names the rule.
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
			'Max Value per Call',
			`the call sends ${inEther(write.value)}, the limit is ${inEther(maxValuePerCall)}`,
		);
	}
	if (maxValuePerExecution !== undefined && spent + write.value > maxValuePerExecution) {
		refuse(
			'Max Value per Execution',
			`this execution has sent ${inEther(spent)} and would send ${inEther(write.value)} more, the limit is ${inEther(maxValuePerExecution)}`,
		);
	}
}
