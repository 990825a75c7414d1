import { id } from 'ethers';
import type { Chain } from '../chain/chain.mts';
import { ContractRefusal } from '../rpc/failures.mts';
import type { AssetLimit } from '../schemas/limits.mts';

/** Interfaces by which contracts report their standard (ERC-165). */
const STANDARDS = { erc721: '0x80ac58cd', erc1155: '0xd9b67a26' } as const;
const NONE = '0xffffffff';

/** Symbols are chosen by strangers. */
const PLAIN = /^[\w$.+-]{1,20}$/;

/** The first word that a function returns; undefined if the contract lacks it. */
async function ask(
	chain: Pick<Chain, 'call'>,
	to: string,
	signature: string,
	argument = '',
): Promise<bigint | undefined> {
	try {
		const data = await chain.call({ to, data: id(signature).slice(0, 10) + argument });
		return data.length === 66 ? BigInt(data) : undefined;
	} catch (error) {
		if (error instanceof ContractRefusal) return undefined;
		throw error;
	}
}

/**
 * Reads what kind of token a contract is.
 *
 * @param symbol as the contract reports it
 * @throws Error if its amounts would be unclear
 */
export async function readAsset(
	chain: Pick<Chain, 'call' | 'hasContract' | 'network'>,
	address: string,
	symbol: string,
): Promise<Omit<AssetLimit, 'perCall' | 'perDay'>> {
	const supports = async (interfaceId: string) =>
		(await ask(
			chain,
			address,
			'supportsInterface(bytes4)',
			interfaceId.slice(2).padEnd(64, '0'),
		)) === 1n;
	const [decimals, approved, isNft, isItems, isAnything] = await Promise.all([
		ask(chain, address, 'decimals()'),
		ask(chain, address, 'getApproved(uint256)', '1'.padStart(64, '0')),
		...[STANDARDS.erc721, STANDARDS.erc1155, NONE].map(supports),
	]);
	const places = decimals !== undefined && decimals <= 255n ? Number(decimals) : undefined;
	// Coins that are NFTs at the same time (ERC-404) take a small amount for the ID of a whole one, and report no interface.
	const isBoth = places !== undefined && approved !== undefined;
	const kinds = [
		...(places === undefined ? [] : (['erc20'] as const)),
		...(isBoth || (isNft && !isAnything) ? (['erc721'] as const) : []),
		...(isItems && !isAnything ? (['erc1155'] as const) : []),
	];
	const [kind] = kinds;
	if (kind === undefined) {
		throw new Error(
			!(await chain.hasContract(address))
				? `There is no contract at ${address} on ${chain.network}`
				: `${address} is a contract, but not a token: decimals() returns no number up to 255, and supportsInterface() no kind of NFT`,
		);
	}
	if (kinds.length > 1)
		throw new Error(`${address} is several kinds of token at once, so its amounts are unclear`);
	const words = PLAIN.test(symbol) ? symbol : address;
	return {
		asset: address.toLowerCase(),
		kind,
		decimals: kind === 'erc20' ? (places ?? 0) : 0,
		symbol: words,
	};
}
