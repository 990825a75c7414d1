import type { IDataObject } from 'n8n-workflow';

import type { WalletState } from './state';

/** An item, with the time by which items of several wallets are put in order (milliseconds since 1970). */
export interface TimedItem {
	readonly time: number;
	readonly json: IDataObject;
}

/** What an observation of a wallet comes to. */
export interface WalletStep {
	readonly state: WalletState;
	/** Oldest first. */
	readonly items: readonly TimedItem[];
	/** Whether the state now holds what could not be found out again if it got lost. */
	readonly mustBeSaved: boolean;
}

/** What the service said of one wallet, checked. Nothing here asks the service again. */
export interface Observation {
	/** @param before what was known of the wallet; empty at first */
	advance(before: WalletState): WalletStep;
	/** An item to build a workflow with, as real as the wallet can give it. */
	sample(): TimedItem | undefined;
}
