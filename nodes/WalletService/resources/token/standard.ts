import type { TokenStandard } from '../../contract/token-standards';
import { STANDARDS } from '../../contract/token-standards';
import type { ServiceClient } from '../../request/http/service-client';
import type { ReadParameter } from '../../request/run/read-parameter';
import { readOptions } from '../../request/run/read-parameter';
import { parseChoice } from '../../values/choice';
import { MAX_UINT256 } from '../../values/integers';
import type { Field } from '../../values/invalid-input';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { refuseNoContract } from '../look-ups/no-contract';
import { reportedKind } from '../look-ups/token-facts';
import { amount, OF_PIECES, pieceId, tokenStandard } from './parameters';

/** What an item says about the kind of its token. */
export interface GivenPiece {
	/** Absent if the contract is to report it. */
	readonly standard?: TokenStandard;
	/** Absent for ERC-20. */
	readonly tokenId?: bigint;
	/** Whether there is an amount to read: it can be empty for an NFT, and counts only if its field is shown. */
	readonly hasAmount: boolean;
}

function readTokenId(value: unknown, field: Field): bigint {
	const isText = typeof value === 'string' || Number.isSafeInteger(value);
	const text = isText ? String(value).trim() : '';
	const id = /^\d{1,78}$/.test(text) ? BigInt(text) : undefined;
	if (id !== undefined && id <= MAX_UINT256) return id;
	const hint = 'Enter the ID in digits, for example 42; enter a long ID as text';
	return refuse(field, `${quote(value)} is not a token ID`, hint);
}

/** Reads which standard is chosen, and the token ID. A saved standard counts first. @throws InvalidInputError */
export function readPiece(read: ReadParameter): GivenPiece {
	const saved = read(tokenStandard.name, 'erc20');
	const standard = STANDARDS.find((one) => one === saved);
	if (standard === undefined) {
		const problem = `${quote(saved)} is not a token standard`;
		refuse(tokenStandard.name, problem, 'Choose erc20, erc721 or erc1155');
	}
	if (standard !== 'erc20') {
		const tokenId = readTokenId(read(pieceId.name, ''), pieceId.name);
		return { standard, tokenId, hasAmount: standard === 'erc1155' };
	}
	const { [pieceId.name]: id, [tokenStandard.name]: chosen } = readOptions(read);
	const field = ['options', tokenStandard.name];
	if (id === undefined) {
		if (chosen === undefined) return { standard, hasAmount: true };
		const hint =
			'Add Token ID under Options, too, or remove Token Standard for a token such as USDC';
		refuse(field, 'An NFT or item also needs its Token ID', hint);
	}
	return {
		standard: chosen === undefined ? undefined : parseChoice(chosen, OF_PIECES, field),
		tokenId: readTokenId(id, ['options', pieceId.name]),
		hasAmount: read(amount.name, '') !== '',
	};
}

/**
 * The standard of a token with an ID, as its contract reports it.
 *
 * @param given the token as entered
 * @throws InvalidInputError unless it reports exactly one of ERC-721 and ERC-1155; ServiceError if the look-up fails
 */
export async function findStandard(
	token: string,
	given: unknown,
	client: ServiceClient,
): Promise<TokenStandard> {
	const kind = await reportedKind(token, client);
	if (kind !== undefined) return kind === 'NFT' ? 'erc721' : 'erc1155';
	await refuseNoContract(given, token, client);
	const problem = `${token} does not state whether it is an NFT (ERC-721) or a collection of items (ERC-1155)`;
	const hint =
		'Add Token Standard under Options, and choose what a block explorer shows for this token; for a token such as USDC, remove Token ID';
	return refuse(['options', tokenStandard.name], problem, hint);
}
