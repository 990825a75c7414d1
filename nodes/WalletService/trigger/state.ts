import type { IDataObject } from 'n8n-workflow';

import { parseIntegerText } from '../values/integers';
import { defined, isObject } from '../values/objects';

/** Raise this when the format of the state changes: states of other versions are ignored. */
const VERSION = 1;

export interface TransferState {
	/** Keys of known transfers, repeated for identical transfers. */
	readonly known: readonly string[];
	/** Transfers before this time count as known, in milliseconds since 1970. */
	readonly floor: number;
	/** Whether a possible gap has not yet been reported with an item. */
	readonly gap: boolean;
}

export type Side = 'above' | 'below';

export interface BalanceState {
	/** The balance to compare the next one with, in base units. */
	readonly balance: bigint;
	/** The side of the threshold, with hysteresis. */
	readonly side: Side;
}

export interface ValueState {
	/** The returned value as JSON, to compare the next one with. */
	readonly answer: unknown;
	/** Whether the value met the condition; false without a condition. */
	readonly isMet: boolean;
}

/** The saved state of a wallet's balance or transfers, or of a contract's value, depending on the event. */
export interface WalletState {
	/** The wallet's address, lower case, once it has been looked up. */
	readonly address?: string;
	/** The chain ID of the last answer, if it contained one. */
	readonly chainId?: string;
	readonly transfers?: TransferState;
	readonly balance?: BalanceState;
	readonly value?: ValueState;
}

/** The state of each watched wallet, by user ID, or of the watched contract, by its address. */
export type WalletStates = ReadonlyMap<string, WalletState>;

function readTransferState(value: unknown): TransferState | undefined {
	if (!isObject(value) || !Array.isArray(value.known)) return undefined;
	const { known, floor, gap } = value;
	const isList = known.every((key) => typeof key === 'string');
	if (!isList || typeof floor !== 'number' || typeof gap !== 'boolean') return undefined;
	return { known: [...known], floor, gap };
}

function readBalanceState(value: unknown): BalanceState | undefined {
	if (!isObject(value) || typeof value.balance !== 'string') return undefined;
	const balance = parseIntegerText(value.balance);
	const { side } = value;
	if (balance === undefined || (side !== 'above' && side !== 'below')) return undefined;
	return { balance, side };
}

function readValueState(value: unknown): ValueState | undefined {
	if (!isObject(value) || !('answer' in value) || typeof value.isMet !== 'boolean')
		return undefined;
	return { answer: value.answer, isMet: value.isMet };
}

function readWalletState(value: unknown): WalletState {
	if (!isObject(value)) return {};
	return {
		address: typeof value.address === 'string' ? value.address : undefined,
		chainId: typeof value.chainId === 'string' ? value.chainId : undefined,
		transfers: readTransferState(value.transfers),
		balance: readBalanceState(value.balance),
		value: readValueState(value.value),
	};
}

/**
 * Returns the saved state, or an empty one (a fresh start) if there is none, it cannot be read, or the trigger now watches
 * something else.
 *
 * @param watched the current fingerprint (see `TriggerSettings`)
 */
export function readState(stored: unknown, watched: string): WalletStates {
	if (!isObject(stored) || stored.version !== VERSION || stored.watched !== watched) {
		return new Map();
	}
	const wallets = isObject(stored.wallets) ? Object.entries(stored.wallets) : [];
	return new Map(wallets.map(([userId, state]) => [userId, readWalletState(state)]));
}

/** The number of changes that led to a saved state. */
export function revisionOf(stored: unknown): number {
	return isObject(stored) && typeof stored.revision === 'number' ? stored.revision : 0;
}

/** Converts the state to JSON, for n8n to save. @param revision number of changes, see `revisionOf` */
export function writeState(states: WalletStates, watched: string, revision: number): IDataObject {
	const wallets = [...states].map(([userId, { balance: last, ...state }]) => {
		const { address, chainId, transfers, value } = state;
		const balance = last && { ...last, balance: String(last.balance) };
		return [userId, defined({ address, chainId, transfers, balance, value })];
	});
	return { version: VERSION, revision, watched, wallets: Object.fromEntries(wallets) };
}
