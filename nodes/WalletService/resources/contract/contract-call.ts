import { abbreviatedSignature } from '../../contract/abbreviated-signature';
import { collectUserIds, encodeArguments } from '../../contract/arguments';
import type { CheckedCall } from '../../contract/call';
import type { ContractFunction } from '../../contract/function';
import { refuseReadInWrite, refuseWriteInRead } from '../../contract/guards';
import type { ReadParameter } from '../../request/run/read-parameter';
import { parseAddress } from '../../values/address';
import type { ChosenArguments } from './chosen-arguments';
import { chosenArguments } from './chosen-arguments';
import { chosenFunction } from './chosen-function';
import { readValue } from './value';

/** A checked call whose user IDs still have to be looked up. */
export interface PlannedCall extends ChosenArguments {
	readonly contractFunction: ContractFunction;
	readonly contractAddress: string;
	/** User IDs that are given for an address, each once. */
	readonly userIds: readonly string[];
	/** Native coin to send along, in wei; absent if none is given. */
	readonly value?: bigint;
}

/**
 * The contract call that an item's parameters describe, checked as a whole.
 *
 * @throws InvalidInputError that names the parameter.
 */
export function planCall(read: ReadParameter, operation: 'read' | 'write'): PlannedCall {
	const contractAddress = parseAddress(read('contractAddress', ''), 'contractAddress');
	const { contractFunction, parameter } = chosenFunction(read);
	const value = operation === 'write' ? readValue(read) : undefined;
	if (operation === 'read') refuseWriteInRead(contractFunction, parameter);
	else refuseReadInWrite(contractFunction, value, { function: parameter, value: 'value' });
	const given = chosenArguments(contractFunction, read);
	const userIds = collectUserIds(contractFunction, given.args, given);
	return { ...given, contractFunction, contractAddress, userIds, value };
}

/**
 * The request of a planned call, in canonical form.
 *
 * @param addresses wallet address by user ID; a missing ID is an unknown user
 * @throws InvalidInputError that names the argument with the unknown user.
 */
export function completeCall(
	plan: PlannedCall,
	operation: 'read' | 'write',
	addresses: ReadonlyMap<string, string>,
): CheckedCall {
	const { contractFunction, contractAddress: address, args: given, parameter, value } = plan;
	const args = encodeArguments(contractFunction, given, { addresses, parameter });
	const abi = abbreviatedSignature(contractFunction, operation);
	const call = { address, abi, args, ...(value !== undefined && { value: value.toString() }) };
	return { call, contractFunction, resolvedAddresses: Object.fromEntries(addresses) };
}
