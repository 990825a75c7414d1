import { abbreviatedSignature } from '../../contract/source/abbreviated-signature';
import type { LookUps } from '../../contract/arguments';
import { collectLookUps, encodeArguments } from '../../contract/arguments';
import type { CheckedCall } from '../../contract/call';
import type { ContractFunction, ContractOperation } from '../../contract/function';
import { refuseLookalike, refuseReadInWrite, refuseWriteInRead } from '../../contract/guards';
import type { ReadParameter } from '../../request/run/read-parameter';
import type { ExplorerPages } from '../../values/urls';
import { CONTRACT_PAGE, parseAddressOrPage } from '../../values/urls';
import { NATIVE_COIN, readNativeCoin } from './call-options';
import type { ChosenArguments } from './chosen-arguments';
import { chosenArguments } from './chosen-arguments';
import { chosenFunction } from './chosen-function';
import type { LookedUp } from '../look-ups/look-ups';

const PAGES: ExplorerPages = { page: CONTRACT_PAGE, about: 'a contract' };

/** A checked call for which some things may still have to be looked up. */
export interface PlannedCall extends ChosenArguments {
	readonly contractFunction: ContractFunction;
	readonly contractAddress: string;
	readonly lookUps: LookUps;
	/** Native coin to send along, in wei; absent if none is given. */
	readonly value?: bigint;
}

/**
 * The contract call that an item's parameters describe, checked as a whole.
 *
 * @throws InvalidInputError that names the parameter.
 */
export function planCall(read: ReadParameter, operation: ContractOperation): PlannedCall {
	const contractAddress = parseAddressOrPage(read('contractAddress', ''), 'contractAddress', PAGES);
	const { contractFunction, parameter } = chosenFunction(read, operation);
	refuseLookalike(contractFunction, parameter);
	const value = operation === 'write' ? readNativeCoin(read) : undefined;
	if (operation === 'read') refuseWriteInRead(contractFunction, parameter);
	else refuseReadInWrite(contractFunction, value, { function: parameter, value: NATIVE_COIN });
	const given = chosenArguments(contractFunction, read);
	const lookUps = collectLookUps(contractFunction, given.args, given);
	return { ...given, contractFunction, contractAddress, lookUps, value };
}

/**
 * The request of a planned call, in canonical form.
 *
 * @throws InvalidInputError that names the argument with an unknown user, or with an amount that is not one of the contract.
 */
export function completeCall(
	plan: PlannedCall,
	operation: ContractOperation,
	{ addresses, token }: LookedUp,
): CheckedCall {
	const { contractFunction, contractAddress: address, args: given, parameter, value } = plan;
	const args = encodeArguments(contractFunction, given, { addresses, token, parameter });
	const abi = abbreviatedSignature(contractFunction, operation);
	const call = { address, abi, args, ...(value !== undefined && { value: value.toString() }) };
	const resolvedAddresses = Object.fromEntries(addresses);
	return { call, contractFunction, resolvedAddresses, ...(token !== undefined && { token }) };
}
