import type { Resolve } from '../../../../nodes/WalletService/contract/argument-value.ts';
import type { TokenFacts } from '../../../../nodes/WalletService/contract/token-amount.ts';
import { tokensToBaseUnits } from '../../../../nodes/WalletService/contract/token-amount.ts';

interface Known {
	/** Wallet address by user ID. */
	readonly addresses?: ReadonlyMap<string, string>;
	readonly token?: TokenFacts;
}

/** Looks up known values and records the requested users. */
export function resolveBy({ addresses, token = { address: '0x12' } }: Known = {}): Resolve & {
	readonly asked: string[];
} {
	const asked: string[] = [];
	return {
		asked,
		user: async (userId, path) => {
			asked.push(userId);
			const wallet = addresses?.get(userId);
			if (wallet === undefined) throw new Error(`${path}: nobody knows ${userId}`);
			return await Promise.resolve(wallet);
		},
		tokens: async (amount, path) => await Promise.resolve(tokensToBaseUnits(amount, token, path)),
	};
}
