import { HDNodeWallet } from 'ethers';
import { MNEMONIC } from './phrase.mts';

const accounts = HDNodeWallet.fromPhrase(MNEMONIC, undefined, "m/44'/60'/0'/0");

const wallets: HDNodeWallet[] = [];

/** Wallet number `index` of the phrase. Number 0 pays for gas and deployments; users start at 1. */
export function walletAt(index: number): HDNodeWallet {
	return (wallets[index] ??= accounts.deriveChild(index));
}
