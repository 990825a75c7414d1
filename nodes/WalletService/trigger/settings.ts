import { id } from 'ethers';
import type { IPollFunctions } from 'n8n-workflow';

import { readAccount } from '../request/credential/account';
import { parameterReader } from '../request/run/read-parameter';
import { parseChoice, parseSwitch } from '../values/choice';
import { isObject } from '../values/objects';
import { usersOf } from '../values/user-id';
import { watchBalance, watchThreshold } from './balance';
import { watchValue } from './contract-value';
import { watchTransfers } from './new-transfer';
import type { WatchedEvent } from './observation';
import { triggerParameters } from './parameters';

/** The events, as the form offers them, each with the reader of its parameters. */
const EVENTS = {
	newTransfer: watchTransfers,
	balanceChanged: watchBalance,
	balanceCrossedThreshold: watchThreshold,
	contractValue: watchValue,
};

const NAMES = Object.keys(EVENTS) as (keyof typeof EVENTS)[];

export interface TriggerSettings {
	/** The watched users, or the address of the watched contract. */
	readonly watchedIds: readonly string[];
	readonly event: WatchedEvent;
	/** Fingerprint of service, event and watched values. A change makes the saved state meaningless. */
	readonly watched: string;
}

/** Reads and checks the trigger's parameters. @throws InvalidInputError that names the invalid parameter. */
export async function readTriggerSettings(context: IPollFunctions): Promise<TriggerSettings> {
	const read = parameterReader(context, triggerParameters);
	const { credential, baseUrl } = await readAccount(context);
	const name = parseChoice(read('event', ''), NAMES, 'event');
	const options = read('options', '');
	const { emitExisting: existing = false } = isObject(options) ? options : {};
	const emitExisting = parseSwitch(existing, ['options', 'emitExisting']);
	const event = await EVENTS[name](read, emitExisting, context.getNode().typeVersion);
	const watchedIds =
		event.contract === undefined
			? await usersOf(read('userIds', ''), () => credential, 'userIds')
			: [event.contract];
	const watched = JSON.stringify([baseUrl, name, ...event.fingerprint]);
	// A hash is short, and keeps addresses out of the workflow data that n8n shows.
	return { watchedIds, event, watched: id(watched).slice(2, 18) };
}
