import { argumentsIn } from '../../../nodes/WalletService/contract/call.ts';
import { tokenMove, type TokenMove } from '../../../nodes/WalletService/contract/token-moves.ts';
import { knownFunction } from '../../../nodes/WalletService/contract/token-standards.ts';
import { isZeroAddress } from '../../../nodes/WalletService/values/address.ts';
import type { AssetLimit, Limits } from '../schemas/limits.mts';
import { LimitExceeded } from './limit-exceeded.mts';

/** A call as its wallet would sign it. */
export interface JudgedCall {
	/** The wallet. */
	from: string;
	to: string;
	/** Name and full types of the function, as in `transfer(address,uint256)`; empty without data. */
	called: string;
	data: string;
	/** In wei. */
	value: bigint;
}

/** An amount that counts against a limit. */
export interface Spend {
	/** `native`, or the token's address in lower case. */
	asset: string;
	/** Base units. */
	amount: bigint;
}

function refuse(problem: string): never {
	throw new LimitExceeded(problem);
}

export const assetLimit = ({ amounts }: Limits, asset: string): AssetLimit | undefined =>
	amounts?.find((limit) => limit.asset === asset.toLowerCase());

/** The tokens that a call moves or lets others move, and whether that is all that it does to the wallet's tokens. */
function read({ to, called, data }: JudgedCall): { move?: TokenMove; isClear: boolean } {
	if (data === '0x') return { isClear: true };
	// The contract sees only the selector, which functions of other names can share.
	const known = knownFunction(data.slice(0, 10));
	if (!known) return { isClear: false };
	const { fn, roles } = known;
	if (fn.key !== called) refuse(`the contract would run ${fn.key} instead of ${called}`);
	const args = argumentsIn(fn, data);
	if (!args) return { isClear: false };
	try {
		const move = tokenMove(fn, { address: to, args });
		if (!move) return { isClear: false };
		// Data are instructions to the recipient, which may act on them in the name of the wallet.
		const hasData = (args[roles.indexOf('data')] ?? '0x') !== '0x';
		return { move, isClear: !move.isForAll && !hasData && fn.name !== 'permit' };
	} catch (error) {
		return refuse(error instanceof Error ? error.message : String(error));
	}
}

/** How much of a limited token a move counts. */
function amountOf({ standard, isShared, amounts }: TokenMove, limit: AssetLimit): bigint {
	if (limit.kind === 'erc721' && (standard === 'erc721' || isShared)) return 1n;
	if (limit.kind !== standard) return refuse(`the function is not one of ${limit.symbol}`);
	const sum = amounts.reduce((total, amount) => total + amount, 0n);
	// Without decimals, the number could be the ID of an old NFT, which may be 0.
	return limit.kind === 'erc20' && limit.decimals === 0 && sum === 0n ? 1n : sum;
}

/**
 * Refuses a call that the limits never allow. What cannot be read is refused, unless the limits name both the contract and
 * the function, and the contract is not itself a token with a limit.
 *
 * @returns the amounts that it counts, without gas
 * @throws LimitExceeded
 */
export function judge(limits: Limits, call: JudgedCall): Spend[] {
	const { contracts, functions, recipients, amounts } = limits;
	const { called } = call;
	const to = call.to.toLowerCase();
	if (contracts && !contracts.includes(to)) refuse(`${call.to} is not an allowed contract`);
	if (functions && !functions.includes(called)) refuse(`${called} is not an allowed function`);
	if (to === call.from.toLowerCase()) refuse('it calls the wallet itself');
	const { move, isClear } = read(call);
	const isNamed = contracts && functions && !assetLimit(limits, to);
	if (!isClear && !isNamed) {
		refuse(`nobody can tell what ${called} moves, or allows others to move`);
	}
	const kind = move && assetLimit(limits, move.token)?.kind;
	// An approval of the amount 0 may instead approve the NFT with the ID 0.
	const takesBack =
		move?.takesBack && (!move.isShared || isZeroAddress(move.party) || kind === 'erc20');
	const receivers = [
		...(move && !takesBack ? [move.party] : []),
		...(call.value > 0n && !contracts ? [call.to] : []),
	];
	const stranger = receivers.find((one) => recipients && !recipients.includes(one.toLowerCase()));
	if (stranger !== undefined) refuse(`${stranger} is not an allowed recipient`);
	if (!amounts) return [];
	if (call.value > 0n && !assetLimit(limits, 'native')) {
		refuse('it sends native coin, for which there is no limit');
	}
	const native = { asset: 'native', amount: call.value };
	if (!move || !isClear) return [native];
	const limit = assetLimit(limits, move.token);
	if (!limit) return refuse(`there is no limit for the token ${move.token}`);
	// Its code would run on the wallet's gas, which counts only where the native coin has a limit.
	if (limit.asset !== to && !contracts) refuse(`${call.to} is not an allowed contract`);
	return takesBack ? [native] : [native, { asset: limit.asset, amount: amountOf(move, limit) }];
}
