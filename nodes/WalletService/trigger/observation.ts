import type { IDataObject } from 'n8n-workflow';

import type { WalletState } from './state';

/** An item, with the time by which items of several wallets are sorted (milliseconds since 1970). */
export interface TimedItem {
	readonly time: number;
	readonly json: IDataObject;
}

/** The result of observing a wallet. */
export interface WalletStep {
	readonly state: WalletState;
	/** Oldest first. */
	readonly items: readonly TimedItem[];
	/** Whether the state now contains something that could not be recovered if it were lost. */
	readonly mustBeSaved: boolean;
}

/** The service's checked answer about one wallet. No method sends another request. */
export interface Observation {
	/** @param before the saved state of the wallet; empty at first */
	advance(before: WalletState): WalletStep;
	/** An item to build a workflow with, as real as the data of the wallet allow. */
	sample(): TimedItem | undefined;
}
