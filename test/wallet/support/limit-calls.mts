/** Limits of access tokens, and calls that they allow, in several spellings. */
import { getAddress, MaxUint256 } from 'ethers';
import type { AssetLimit, Limits } from '../../../service/src/schemas/limits.mts';
import { dollars, native, type ApiCall } from './limited.mts';

/** Contracts of `sandbox/contracts`, and wallets. */
export interface World {
	usd: string;
	gold: string;
	art: string;
	items: string;
	shapes: string;
	payouts: string;
	/** The wallet of the caller. */
	own: string;
	/** A listed recipient. */
	friend: string;
	thief: string;
	/** A wallet that has allowed the caller to spend its tokens. */
	owner: string;
}

export const ETHER = 10n ** 18n;
export const CENT = String(ETHER / 100n);

const lower = (...addresses: string[]) => addresses.map((address) => address.toLowerCase());

/** Limits of the kinds that people set. */
export function limitsOf({ usd, gold, art, items, friend, payouts, own }: World) {
	const nft = (asset: string, kind: AssetLimit['kind'], perDay: string): AssetLimit => {
		return { asset: asset.toLowerCase(), kind, decimals: 0, symbol: kind, perDay };
	};
	const amounts = [dollars(usd, { perCall: '1000', perDay: '100000' })];
	const coin = native({ perDay: CENT });
	return {
		amounts: { amounts },
		recipients: { recipients: lower(friend) },
		both: { amounts: [...amounts, coin], recipients: lower(friend, own) },
		coin: { amounts: [coin] },
		nfts: { amounts: [nft(art, 'erc721', '1000'), nft(items, 'erc1155', '50')] },
		contracts: { contracts: lower(usd, gold) },
		functions: { functions: ['transfer(address,uint256)'] },
		named: {
			amounts,
			contracts: lower(usd, gold, payouts),
			functions: [
				'transfer(address,uint256)',
				'payEach(address,address[],uint256)',
				'mint(address,uint256)',
			],
		},
	} satisfies Record<string, Limits>;
}

export type LimitsName = keyof ReturnType<typeof limitsOf>;

export const call = (address: string, abi: string, ...args: (string | bigint)[]): ApiCall => {
	return { address, abi, args: args.map(String) };
};

/** Calls that the same limits allow. */
export function ordinary(world: World): [limits: LimitsName, call: ApiCall][] {
	const { usd, gold, art, items, payouts, own, friend, thief, owner } = world;
	const transfer = 'transfer(address,uint256)';
	const zero = `0x${'0'.repeat(40)}`;
	return [
		['amounts', call(usd, transfer, thief, 1000n)],
		['amounts', call(usd, 'transferFrom(address,address,uint256)', owner, thief, 10n)],
		['amounts', call(usd, 'approve(address,uint256)', payouts, 500n)],
		['amounts', call(usd, 'approve(address,uint256)', thief, 0n)],
		['recipients', call(gold, transfer, friend, 10n ** 18n)],
		['recipients', call(usd, 'approve(address,uint256)', friend, MaxUint256)],
		['recipients', call(art, 'setApprovalForAll(address,bool)', thief, 'false')],
		['recipients', call(art, 'approve(address,uint256)', zero, 1n)],
		['both', call(usd, transfer, friend, 999n)],
		['both', call(usd, 'transferFrom(address,address,uint256)', owner, own, 1n)],
		[
			'nfts',
			call(
				items,
				'safeTransferFrom(address,address,uint256,uint256,bytes)',
				own,
				owner,
				7n,
				2n,
				'0x',
			),
		],
		[
			'nfts',
			call(
				items,
				'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
				own,
				owner,
				'[7,8]',
				'[1,1]',
				'0x',
			),
		],
		['contracts', call(gold, transfer, thief, 1n)],
		['functions', call(usd, transfer, thief, 1n)],
		['named', call(usd, transfer, thief, 7n)],
		['named', call(payouts, 'payEach(address,address[],uint256)', usd, `["${thief}"]`, 0n)],
	];
}

const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`;

/** Spellings of one call that mean the same. */
export const SPELLINGS: ((call: ApiCall) => ApiCall)[] = [
	(one) => one,
	(one) => ({
		...one,
		address: one.address.toLowerCase(),
		args: one.args?.map((arg) => (/^0x[\da-f]{40}$/i.test(arg) ? arg.toLowerCase() : arg)) ?? [],
	}),
	(one) => ({
		...one,
		address: upper(one.address),
		args: one.args?.map((arg) => (/^\d+$/.test(arg) ? `0x${BigInt(arg).toString(16)}` : arg)) ?? [],
	}),
	(one) => ({
		...one,
		address: getAddress(one.address),
		abi: `function ${one.abi.replace(' payable', '')} external payable returns (bool)`,
	}),
];
