import { isZeroAddress } from '../values/address';
import type { Field } from '../values/invalid-input';
import { refuse } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { CheckedCall } from './call';
import type { ContractFunction } from './function';
import { argumentLabels, functionKey, isReadOnly } from './function';

/** How a function that changes state is read. */
export const AS_VIEW =
	'To get its answer without sending anything, choose Signature and write view: name(types) view returns (types)';

/**
 * Refuses a read of a function that is known to change state. Without a declared mutability, the user's choice is
 * trusted.
 *
 * @param parameter the node parameter that chooses the function, for the error
 * @throws InvalidInputError for a payable or nonpayable function.
 * @example refuseWriteInRead(parseSignature('burn(uint256) payable')) // throws InvalidInputError
 */
export function refuseWriteInRead(fn: ContractFunction, parameter = 'abi'): void {
	if (fn.stateMutability === undefined || isReadOnly(fn)) return;
	const key = functionKey(fn);
	const problem = `${key} is declared ${fn.stateMutability}: it changes state, which a read cannot do`;
	refuse(parameter, problem, `${AS_VIEW}; to send it, use the Write operation`);
}

/**
 * Refuses a transaction for a function that only reads, and native coin for a function that accepts none. Without a
 * declared mutability, the user's choice is trusted.
 *
 * @param value amount of the native coin to send along, in wei
 * @param parameters the node parameters that choose the function and the value, for the errors
 * @throws InvalidInputError for a view or pure function, and for native coin to one that is declared nonpayable.
 * @example refuseReadInWrite(parseSignature('burn(uint256) nonpayable'), 1n) // throws InvalidInputError
 */
export function refuseReadInWrite(
	fn: ContractFunction,
	value = 0n,
	parameters: { readonly function: Field; readonly value: Field } = {
		function: 'abi',
		value: 'value',
	},
): void {
	const isNonpayable = value !== 0n && fn.stateMutability === 'nonpayable';
	if (!isReadOnly(fn) && !isNonpayable) return;
	const key = functionKey(fn);
	if (isNonpayable) {
		const problem = `${key} is declared nonpayable: it accepts no native coin`;
		refuse(parameters.value, problem, 'Remove the option, or choose a payable function');
	}
	const problem = `${key} is declared ${fn.stateMutability}: it only reads, and a transaction would cost gas for nothing`;
	const hint = 'Use the Read operation, or choose a function that changes state';
	refuse(parameters.function, problem, hint);
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

/**
 * Refuses a call that would lose tokens: a transfer to the zero address or to the token's own contract.
 *
 * @throws InvalidInputError for such a call of a token standard function.
 * @example
 * const contractFunction = parseSignature('transfer(address to, uint256 amount)');
 * const call = { address: '0x12', args: [`0x${'0'.repeat(40)}`, '5'] };
 * refuseLosses(checkedCall(contractFunction, 'write', call, { resolvedAddresses: {} })) // throws InvalidInputError
 */
export function refuseLosses(checked: CheckedCall): void {
	const { call, contractFunction, move } = checked;
	if (move === undefined || move.isApproval) return;
	const label = argumentLabels(contractFunction)[move.index];
	refuseLostTokens(move.party, call.address, `${label} (address)`);
}
