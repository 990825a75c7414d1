import type { CheckedCall } from '../../contract/call';
import { functionKey } from '../../contract/function';
import type { ParameterRole, TokenStandard } from '../../contract/token-standards';
import { knownFunction, knownParameters } from '../../contract/token-standards';
import type { TokenTransfer } from './transfer';

/** A transfer, or an approval, that a call of a token standard's function makes. */
export interface KnownTransfer extends TokenTransfer {
	/** Whose token it is, where the call names them. */
	readonly from?: string;
	/** Whose wallet that is, when it was looked up. */
	readonly fromUser?: string;
	/** Whether nothing moves yet: `to` may take the tokens from then on. */
	readonly isApproval?: boolean;
}

/** What a call passes to a function of a token standard, by what it is. */
interface Passed extends Partial<Record<ParameterRole, string>> {
	readonly standard: TokenStandard;
}

/** `undefined` when it is not certain what the arguments of a call mean. */
function passedBy({ call, contractFunction, token }: CheckedCall): Passed | undefined {
	const key = functionKey(contractFunction);
	const known = knownFunction(key);
	// What is not offered, such as `increaseAllowance`, neither sends nor sets an allowance.
	if (known?.title === undefined) return undefined;
	const parameters = knownParameters(contractFunction);
	const passed = Object.fromEntries(parameters.map(({ is }, index) => [is, call.args[index]]));
	// ERC-721 has functions of the same types, which return nothing.
	const returns = contractFunction.outputs.map(({ type }) => type).join();
	const isOfERC20 = returns === 'bool' || token?.decimals !== undefined;
	const isShared = known.standard === 'erc20' && knownFunction(key, 'erc721') !== undefined;
	// Tokens from before ERC-721 (CryptoKitties) have a transfer of a numbered token, which looks like one of ERC-20.
	const isNumbered = known.standard === 'erc20' && passed.tokenId !== undefined;
	if (isNumbered || (isShared && !isOfERC20)) return undefined;
	return { ...passed, standard: known.standard };
}

/** The user whose wallet an address is, when that was looked up for the call. */
function ownerOf(address: string, { resolvedAddresses }: CheckedCall): string | undefined {
	const entries = Object.entries(resolvedAddresses);
	return entries.find(([, wallet]) => wallet.toLowerCase() === address.toLowerCase())?.[0];
}

/**
 * The transfer or approval that a call makes, by the function it calls; `undefined` for every other call. Nothing is looked
 * up for it: symbol and decimals are there when the token was asked for them anyway.
 */
export function knownTransfer(checked: CheckedCall): KnownTransfer | undefined {
	const passed = passedBy(checked);
	if (passed === undefined) return undefined;
	const { standard, sender: from, spender, recipient: to = spender } = passed;
	const { amount = passed.quantity, tokenId = passed.kind } = passed;
	if (to === undefined || (amount ?? tokenId) === undefined) return undefined;
	const { call, token } = checked;
	const { decimals, symbol } = token ?? {};
	return {
		...{ standard, token: call.address, to, from, decimals, symbol },
		recipient: ownerOf(to, checked) ?? to,
		fromUser: from === undefined ? undefined : ownerOf(from, checked),
		amount: amount === undefined ? undefined : BigInt(amount),
		tokenId: tokenId === undefined ? undefined : BigInt(tokenId),
		isApproval: spender !== undefined,
	};
}
