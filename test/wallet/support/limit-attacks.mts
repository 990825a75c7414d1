/** Calls that limits of access tokens refuse. */
import { MaxUint256 } from 'ethers';
import { call, CENT, ETHER, type LimitsName, type World } from './limit-calls.mts';
import type { ApiCall } from './limited.mts';

/** A call, with the limits that refuse it and the reason. */
export type Attack = [limits: LimitsName, call: ApiCall, reason: RegExp];

const UNREADABLE = /nobody can tell what/;
const NO_LIMIT = /there is no limit for the token/;
const NOT_ENOUGH = /the call needs .*(?:the limit is|are left)/;
const STRANGER = /is not an allowed recipient/;
const CONTRACT = /is not an allowed contract/;
const FUNCTION = /is not an allowed function/;
const LOOKALIKE = /the contract would run/;

const WORD = `0x${'1'.repeat(64)}`;

/** Attacks, one of each kind. */
export function attacks(world: World): Attack[] {
	const { usd, gold, art, items, shapes, payouts, own, friend, thief, owner } = world;
	const transfer = 'transfer(address,uint256)';
	const from = 'transferFrom(address,address,uint256)';
	const batch = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)';
	const item = 'safeTransferFrom(address,address,uint256,uint256,bytes)';
	const permit = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)';
	const forAll = 'setApprovalForAll(address,bool)';
	return [
		['amounts', call(usd, transfer, thief, 1001n), NOT_ENOUGH],
		['amounts', call(usd, transfer, thief, MaxUint256), NOT_ENOUGH],
		['amounts', call(usd, transfer, own, 1001n), NOT_ENOUGH],
		['amounts', call(usd, from, own, thief, 1001n), NOT_ENOUGH],
		['amounts', call(usd, from, owner, own, 1001n), NOT_ENOUGH],
		['amounts', call(usd, 'approve(address,uint256)', thief, MaxUint256), NOT_ENOUGH],
		['amounts', call(usd, 'increaseAllowance(address,uint256)', thief, 1001n), NOT_ENOUGH],
		['amounts', call(usd, 'increaseApproval(address,uint256)', thief, MaxUint256), NOT_ENOUGH],
		['amounts', call(usd, 'transferAndCall(address,uint256)', thief, 1001n), NOT_ENOUGH],
		['amounts', call(usd, 'transferAndCall(address,uint256,bytes)', thief, 1n, '0x01'), UNREADABLE],
		['amounts', call(usd, 'approveAndCall(address,uint256,bytes)', thief, 1n, '0xff'), UNREADABLE],
		['amounts', call(usd, 'send(address,uint256,bytes)', thief, 1n, '0x00'), UNREADABLE],
		['amounts', call(usd, 'authorizeOperator(address)', thief), UNREADABLE],
		['amounts', call(usd, permit, own, thief, 1n, 9n, 27n, WORD, WORD), UNREADABLE],
		[
			'amounts',
			call(
				usd,
				'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
				own,
				thief,
				0n,
				9n,
				'true',
				27n,
				WORD,
				WORD,
			),
			UNREADABLE,
		],
		['amounts', call(usd, 'approve(address)', thief), UNREADABLE],
		['amounts', call(usd, 'mint(address,uint256)', thief, 1n), UNREADABLE],
		['amounts', call(usd, 'transfer(address,uint256,bytes)', thief, 1n, '0x'), UNREADABLE],
		['amounts', call(usd, 'transfer(address,uint128)', thief, 1n), UNREADABLE],
		['amounts', call(usd, 'multicall(bytes[])', '["0xa9059cbb"]'), UNREADABLE],
		[
			'amounts',
			call(usd, 'execute((address,uint256,bytes)[])', `[["${thief}","1","0x"]]`),
			UNREADABLE,
		],
		['amounts', { ...call(usd, 'deposit() payable'), value: '1' }, UNREADABLE],
		['amounts', call(usd, 'withdraw(uint256)', 1n), UNREADABLE],
		['amounts', call(usd, 'workMyDirefulOwner(uint256,uint256)', BigInt(thief), 1n), LOOKALIKE],
		[
			'amounts',
			call(usd, 'safeTransferFrom(address,address,uint256)', own, thief, 1n),
			/not one of SUSD/,
		],
		['amounts', call(usd, item, own, thief, 1n, 1n, '0x'), /not one of SUSD/],
		['amounts', call(gold, transfer, thief, 1n), NO_LIMIT],
		['amounts', call(gold, 'approve(address,uint256)', thief, 0n), NO_LIMIT],
		[
			'amounts',
			call(gold, 'approve(address,address,uint160,uint48)', usd, thief, 1001n, 9n),
			/is not an allowed contract/,
		],
		[
			'amounts',
			call(payouts, 'approve(address,address,uint160,uint48)', gold, thief, 1n, 9n),
			NO_LIMIT,
		],
		['amounts', call(art, from, own, thief, 1n), NO_LIMIT],
		['amounts', call(art, forAll, thief, 'true'), UNREADABLE],
		['amounts', call(items, batch, own, thief, '[1]', '[1]', '0x'), NO_LIMIT],
		['amounts', { ...call(shapes, 'pay() payable'), value: '1' }, UNREADABLE],
		[
			'amounts',
			call(payouts, 'payEach(address,address[],uint256)', usd, `["${thief}"]`, 1n),
			UNREADABLE,
		],
		['amounts', call(own, transfer, thief, 1n), /calls the wallet itself/],
		['recipients', call(usd, transfer, thief, 1n), STRANGER],
		['recipients', call(usd, transfer, own, 1n), STRANGER],
		['recipients', call(usd, transfer, `0x${'0'.repeat(40)}`, 1n), STRANGER],
		['recipients', call(usd, from, owner, thief, 1n), STRANGER],
		['recipients', call(usd, from, own, own, 1n), STRANGER],
		['recipients', call(usd, 'approve(address,uint256)', thief, 1n), STRANGER],
		['recipients', call(gold, 'approve(address,uint256)', thief, 0n), STRANGER],
		['recipients', call(usd, 'increaseAllowance(address,uint256)', thief, 1n), STRANGER],
		['recipients', call(usd, 'approveDelegation(address,uint256)', thief, 1n), STRANGER],
		[
			'recipients',
			call(art, 'safeTransferFrom(address,address,uint256)', own, thief, 1n),
			STRANGER,
		],
		[
			'recipients',
			call(art, 'safeTransferFrom(address,address,uint256,bytes)', own, friend, 1n, '0x00'),
			UNREADABLE,
		],
		['recipients', call(items, item, own, thief, 1n, 1n, '0x'), STRANGER],
		['recipients', call(items, batch, own, thief, '[1,2]', '[1,2]', '0x'), STRANGER],
		['recipients', call(art, forAll, friend, 'true'), UNREADABLE],
		[
			'recipients',
			call(payouts, 'payEach(address,address[],uint256)', usd, `["${friend}"]`, 1n),
			UNREADABLE,
		],
		['recipients', call(shapes, 'anything((address,uint256))', `["${thief}",1]`), UNREADABLE],
		['both', call(usd, transfer, friend, 1001n), NOT_ENOUGH],
		['both', call(usd, transfer, thief, 1n), STRANGER],
		['both', { ...call(usd, transfer, friend, 1n), value: '1' }, STRANGER],
		[
			'coin',
			{ ...call(shapes, 'transfer(address,uint256) payable', friend, 1n), value: CENT },
			NO_LIMIT,
		],
		['coin', call(usd, transfer, friend, 1n), NO_LIMIT],
		['coin', { ...call(shapes, 'pay() payable'), value: '1' }, UNREADABLE],
		[
			'coin',
			{ ...call(usd, 'approve(address,uint256) payable', friend, 0n), value: String(ETHER) },
			NO_LIMIT,
		],
		['nfts', call(items, item, own, thief, 7n, 51n, '0x'), NOT_ENOUGH],
		['nfts', call(items, batch, own, thief, '[7,8]', '[26,25]', '0x'), NOT_ENOUGH],
		['nfts', call(items, batch, own, thief, '[7,7]', `[50,${MaxUint256}]`, '0x'), NOT_ENOUGH],
		['nfts', call(items, batch, own, thief, '[7,8]', '[1]', '0x'), /numbers of token IDs/],
		['nfts', call(items, item, own, thief, 7n, 1n, '0x01'), UNREADABLE],
		['nfts', call(items, forAll, thief, 'true'), UNREADABLE],
		['nfts', call(items, from, own, thief, 1n), /not one of erc1155/],
		['nfts', call(art, transfer, thief, 1n), /not one of erc721/],
		['nfts', call(art, item, own, thief, 1n, 1n, '0x'), /not one of erc721/],
		['nfts', call(usd, transfer, thief, 1n), NO_LIMIT],
		['contracts', call(art, from, own, thief, 1n), CONTRACT],
		['contracts', call(usd, 'mint(address,uint256)', thief, 1n), UNREADABLE],
		['contracts', call(usd, 'workMyDirefulOwner(uint256,uint256)', BigInt(thief), 1n), LOOKALIKE],
		['functions', call(usd, 'approve(address,uint256)', friend, 1n), FUNCTION],
		['functions', call(usd, 'transfer(address,uint256,bytes)', friend, 1n, '0x'), FUNCTION],
		['functions', call(usd, 'workMyDirefulOwner(uint256,uint256)', BigInt(thief), 1n), FUNCTION],
		['named', call(usd, 'mint(address,uint256)', thief, 1n), UNREADABLE],
		['named', call(usd, transfer, thief, 1001n), NOT_ENOUGH],
		['named', call(gold, transfer, thief, 1n), NO_LIMIT],
		['named', call(usd, 'approve(address,uint256)', thief, 1n), FUNCTION],
		['named', call(shapes, transfer, thief, 1n), CONTRACT],
	];
}
