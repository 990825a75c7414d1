import type { Signer } from '../../../service/src/keys/signer.mts';
import { walletAt } from '../chain/mnemonic.mts';

/** The wallet of a source: users' wallets follow that of the bank. */
function walletOf(source: string) {
	const index = /^seed:(\d+)$/.exec(source)?.[1];
	if (index === undefined) throw new Error(`There is no key for ${source}`);
	return walletAt(Number(index) + 1);
}

/** Signs with the public phrase. */
export const mnemonicSigner: Signer = {
	addressOf: async (source) => walletOf(source).address,
	sign: async (source, transaction) => await walletOf(source).signTransaction(transaction),
};
