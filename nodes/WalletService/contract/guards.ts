import { isZeroAddress } from '../values/address';
import type { Field } from '../values/invalid-input';
import { refuse } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { ContractFunction, ContractOperation } from './function';
import { isReadOnly } from './function';

/** How a function that changes state is read. */
export const AS_VIEW =
	'To get its answer without sending anything, choose Signature and write view: name(types) view returns (types)';

/**
 * Refuses a function that an operation cannot call: one that changes state in a read, one that only reads in a write, and
 * native coin for one that accepts none. Without a declared mutability, the user's choice is trusted.
 *
 * @param fields the places of the function and of the native coin, for errors
 * @param value amount of the native coin to send along, in wei
 * @throws InvalidInputError
 * @example
 * const fields = { function: 'abi', value: 'value' };
 * assertCallable(parseSignature('burn(uint256) nonpayable'), 'write', fields, 1n) // throws InvalidInputError
 */
export function assertCallable(
	fn: ContractFunction,
	operation: ContractOperation,
	fields: { readonly function: Field; readonly value: Field },
	value = 0n,
): void {
	const declared = `${fn.key} is declared ${fn.stateMutability}`;
	if (fn.stateMutability === 'nonpayable' && value !== 0n) {
		const hint = 'Remove the option, or choose a payable function';
		refuse(fields.value, `${declared}: it accepts no native coin`, hint);
	}
	if (fn.stateMutability === undefined || isReadOnly(fn) === (operation === 'read')) return;
	if (operation === 'read') {
		const problem = `${declared}: it changes state, which a read cannot do`;
		refuse(fields.function, problem, `${AS_VIEW}; to send it, use the Write operation`);
	}
	const problem = `${declared}: it only reads, and a transaction would cost gas for nothing`;
	const hint = 'Use the Read operation, or choose a function that changes state';
	refuse(fields.function, problem, hint);
}

/**
 * Refuses a transfer to the zero address or to the token's own contract: the tokens would be lost.
 *
 * @throws InvalidInputError that names `parameter`.
 * @example refuseLostTokens(`0x${'0'.repeat(40)}`, '0x12', 'recipient') // throws InvalidInputError
 */
export function refuseLostTokens(to: string, contract: string, parameter: Field): void {
	const isContract = to.toLowerCase() === contract.toLowerCase();
	if (!isContract && !isZeroAddress(to)) return;
	const whose = isContract ? "the token's own contract" : 'the zero address';
	const message = `${quote(to)} is ${whose}: tokens sent there are lost`;
	refuse(parameter, message, "Enter the recipient's wallet address");
}
