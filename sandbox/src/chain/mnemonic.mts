import { HDNodeWallet } from 'ethers';

/** The usual phrase of development chains: its keys are public, so its wallets must never hold real money. */
export const MNEMONIC = 'test test test test test test test test test test test junk';

export const MNEMONIC_NOTE = 'public test mnemonic, never use with real money';

const accounts = HDNodeWallet.fromPhrase(MNEMONIC, undefined, "m/44'/60'/0'/0");

/** Wallet number `index` of the phrase. Number 0 pays for gas and deployments; users start at 1. */
export function walletAt(index: number): HDNodeWallet {
	return accounts.deriveChild(index);
}
