import type { CheckedCall } from '../../contract/call';
import { functionKey } from '../../contract/function';
import { isNamedAsNumber } from '../../contract/known-arguments';
import type { TokenStandard, Transfer } from './transfer';

/** A transfer, or an approval, that a call of a token standard's function makes. */
export interface KnownTransfer extends Transfer {
	/** Whose token it is, where the call names them. */
	readonly from?: string;
	/** Whose wallet that is, when it was looked up. */
	readonly fromUser?: string;
	/** Whether nothing moves yet: `to` may take the tokens from then on. */
	readonly isApproval?: boolean;
}

/** The index of each argument. */
interface Places {
	readonly standard: TokenStandard;
	readonly from?: number;
	readonly to: number;
	readonly amount?: number;
	readonly tokenId?: number;
	readonly isApproval?: true;
}

/** ERC-721 has functions of the same names and types, whose integer is a token ID; they return nothing. */
const ALSO_ERC721: Readonly<Record<string, Places>> = {
	'approve(address,uint256)': { standard: 'erc20', to: 0, amount: 1, isApproval: true },
	'transferFrom(address,address,uint256)': { standard: 'erc20', from: 0, to: 1, amount: 2 },
};

const UNMISTAKABLE: Readonly<Record<string, Places>> = {
	'transfer(address,uint256)': { standard: 'erc20', to: 0, amount: 1 },
	'safeTransferFrom(address,address,uint256)': { standard: 'erc721', from: 0, to: 1, tokenId: 2 },
	'safeTransferFrom(address,address,uint256,bytes)': {
		...{ standard: 'erc721', from: 0, to: 1, tokenId: 2 },
	},
	'safeTransferFrom(address,address,uint256,uint256,bytes)': {
		...{ standard: 'erc1155', from: 0, to: 1, tokenId: 2, amount: 3 },
	},
};

/** Where the arguments of a call stand; `undefined` when it is not certain what they mean. */
function placesOf({ contractFunction, token }: CheckedCall): Places | undefined {
	const key = functionKey(contractFunction);
	const returns = contractFunction.outputs.map(({ type }) => type).join();
	const isOfERC20 = returns === 'bool' || token?.decimals !== undefined;
	const places = UNMISTAKABLE[key] ?? (isOfERC20 ? ALSO_ERC721[key] : undefined);
	// Tokens from before ERC-721 (CryptoKitties) have a transfer of a numbered token, which looks like one of ERC-20.
	const isNumbered =
		places?.standard === 'erc20' && isNamedAsNumber(contractFunction, places.amount ?? -1);
	return isNumbered ? undefined : places;
}

/** The user whose wallet an address is, when that was looked up for the call. */
function userOf(address: string, { resolvedAddresses }: CheckedCall): string | undefined {
	const entries = Object.entries(resolvedAddresses);
	return entries.find(([, wallet]) => wallet.toLowerCase() === address.toLowerCase())?.[0];
}

/**
 * The transfer or approval that a call makes, by the function it calls; `undefined` for every other call. Nothing is looked
 * up for it: symbol and decimals are there when the token was asked for them anyway.
 */
export function knownTransfer(checked: CheckedCall): KnownTransfer | undefined {
	const places = placesOf(checked);
	if (places === undefined) return undefined;
	const { call, token } = checked;
	const argument = (index: number | undefined): string | undefined =>
		index === undefined ? undefined : call.args[index];
	const to = argument(places.to) ?? '';
	const from = argument(places.from);
	const [amount, tokenId] = [argument(places.amount), argument(places.tokenId)];
	const fromUser = from === undefined ? undefined : userOf(from, checked);
	const { decimals, symbol } = token ?? {};
	return {
		...{ standard: places.standard, token: call.address, to },
		recipient: userOf(to, checked) ?? to,
		...(from !== undefined && { from }),
		...(fromUser !== undefined && { fromUser }),
		...(amount !== undefined && { amount: BigInt(amount) }),
		...(tokenId !== undefined && { tokenId: BigInt(tokenId) }),
		...(decimals !== undefined && { decimals }),
		...(symbol !== undefined && { symbol }),
		...(places.isApproval && { isApproval: true }),
	};
}
