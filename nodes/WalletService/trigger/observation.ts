import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../request/http/service-client';
import type { ReadParameter } from '../request/run/read-parameter';
import { NOT_KNOWN } from '../resources/history/transfer';
import { parseWholeAmount } from '../values/amount';
import type { Decimal } from '../values/decimal';
import { formatUnitsExact } from '../values/decimal';
import type { WalletState, WalletStates } from './state';

/** An item and its time in milliseconds since 1970, by which the items of several wallets are sorted. */
export interface TimedItem {
	readonly time: number;
	readonly json: IDataObject;
}

interface WalletStep {
	readonly state: WalletState;
	/** Oldest first. */
	readonly items: readonly TimedItem[];
	/** Whether the state contains anything that cannot be recovered after a loss. */
	readonly mustBeSaved: boolean;
}

/** The service's checked answer about one wallet. No method sends another request. */
export interface Observation {
	/** The chain ID in the answer; absent if it is unclear. */
	readonly chainId?: string;
	/** @param before the saved state of the wallet; empty at first */
	advance(before: WalletState): WalletStep;
	/** Returns an item for building a workflow, with as much real data as the answer contains. */
	sample(): TimedItem | undefined;
}

/** An event with its parameters. */
export interface WatchedEvent {
	/** The contract that is watched instead of users' wallets. */
	readonly contract?: string;
	/** The parts whose change makes the saved state meaningless. */
	readonly fingerprint: readonly unknown[];
	/**
	 * Requests what is watched of a user's wallet or of the contract.
	 *
	 * @param state the saved state; without one, the address of the wallet is looked up
	 * @throws ServiceError when the service fails or its answer is malformed, InvalidInputError when an input does not fit it.
	 */
	observe(client: ServiceClient, id: string, state?: WalletState): Promise<Observation>;
	/** Makes up an item for building a workflow; absent if every observation has a sample. */
	example?(client: ServiceClient, userId: string): Promise<IDataObject>;
}

/** Returns the exact change in a number, scaled by its decimals. @param current absent if the value is not a number */
export function movement(
	previous: bigint | undefined,
	current: bigint | undefined,
	decimals: number,
): IDataObject {
	if (current === undefined) return {};
	if (previous === undefined) return { difference: NOT_KNOWN, direction: NOT_KNOWN };
	return {
		difference: formatUnitsExact(current - previous, decimals),
		direction: current > previous ? 'increased' : current < previous ? 'decreased' : 'unchanged',
	};
}

/** The chain ID common to all parts of an answer. @returns `undefined` for none, several, or one that is not a number */
export function chainIdOf(given: readonly unknown[]): string | undefined {
	const all = [...new Set(given.map(String))].join();
	return /^\d{1,78}$/.test(all) ? all : undefined;
}

/** Creates a test item, marked as such. @param what the real part */
export function sampleOf(json: IDataObject, what: 'balance' | 'value'): TimedItem {
	const sample = `Only for testing: the ${what} is real, the change is not`;
	return { time: 0, json: { sample, ...json } };
}

export interface PollStep {
	readonly after: WalletStates;
	/** Items of all wallets, oldest first. */
	readonly items: readonly TimedItem[];
	/** Whether `after` has to be saved even without items. */
	readonly mustBeSaved: boolean;
}

/** Whether a wallet is on a different chain than before: the credential now belongs to another application. */
export function isElsewhere(before: WalletState, chainId: string | undefined): boolean {
	return before.chainId !== undefined && chainId !== undefined && before.chainId !== chainId;
}

/**
 * Advances the state of every wallet that was observed; the others are unchanged. Wallets that are no longer watched are
 * dropped.
 *
 * @param observations by user ID
 */
export function advanceWallets(
	before: WalletStates,
	observations: ReadonlyMap<string, Observation>,
	userIds: readonly string[],
): PollStep {
	const steps = userIds.map((userId) => {
		const state = before.get(userId) ?? {};
		const observation = observations.get(userId);
		if (observation === undefined) return { userId, state, items: [], mustBeSaved: false };
		const { chainId } = observation;
		// On another chain, the wallet starts afresh. After an answer without a chain, the next one may be from any chain.
		const step = observation.advance(isElsewhere(state, chainId) ? {} : state);
		return { ...step, userId, state: { ...step.state, chainId } };
	});
	return {
		after: new Map(steps.map(({ userId, state }) => [userId, state])),
		items: steps.flatMap(({ items }) => items).sort((one, other) => one.time - other.time),
		mustBeSaved: steps.some(({ mustBeSaved }) => mustBeSaved),
	};
}

/** Reads an amount in whole coins or tokens; 0 if it is empty. */
export function wholeAmount(read: ReadParameter, name: string): Decimal {
	const given = read(name, '');
	return parseWholeAmount(given === '' || given === undefined ? 0 : given, name);
}
