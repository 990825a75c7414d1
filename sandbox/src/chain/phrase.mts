/** The usual phrase of development chains: its keys are public, so its wallets must never hold real money. */
export const MNEMONIC = 'test test test test test test test test test test test junk';

export const MNEMONIC_NOTE = 'public test mnemonic, never use with real money';
