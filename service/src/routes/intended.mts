import { argumentsIn } from '../../../nodes/WalletService/contract/call.ts';
import { tokenMove } from '../../../nodes/WalletService/contract/token-moves.ts';
import { knownFunction } from '../../../nodes/WalletService/contract/token-standards.ts';
import type { Transfer } from '../chain/transfers.mts';
import type { WriteRow } from '../store/tables.mts';

const STANDARDS = { erc20: 'ERC20', erc721: 'ERC721', erc1155: 'ERC1155' } as const;

/**
 * The token transfers that a call asks for; none if its function is not known, or its number may be an amount or the ID of
 * an NFT.
 *
 * @param from the wallet that called
 */
export function intendedTransfers(
	{ to_address: token, data }: Pick<WriteRow, 'to_address' | 'data'>,
	{ from, hash }: { from: string; hash: string },
): Transfer[] {
	const known = knownFunction(data.slice(0, 10));
	const args = known && argumentsIn(known.fn, data);
	if (!args) return [];
	const move = tokenMove(known.fn, { address: token, args });
	if (!move || move.isApproval || move.isShared) return [];
	return move.amounts.map((value) => ({
		standard: STANDARDS[move.standard],
		token,
		value,
		transactionHash: hash,
		from: move.from ?? from,
		to: move.party,
	}));
}
