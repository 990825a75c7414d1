import { id } from 'ethers';
import type { IPollFunctions } from 'n8n-workflow';

import { readAccount } from '../request/credential/account';
import type { ReadParameter } from '../request/run/read-parameter';
import { parameterReader } from '../request/run/read-parameter';
import { checkFilter, DIRECTIONS } from '../resources/history/filter';
import { parseToken, parseTokenFilter } from '../resources/read-token';
import { parseChoice, parseSwitch } from '../values/choice';
import type { Decimal } from '../values/decimal';
import { formatDecimal, subtract } from '../values/decimal';
import { parseWholeAmount } from '../values/amount';
import { refuse } from '../values/invalid-input';
import { isObject } from '../values/objects';
import { usersOf } from '../values/user-id';
import type { WatchedBalance } from './balance';
import type { WatchedValue } from './contract-value';
import { fingerprintOfValue, readWatchedValue } from './contract-value';
import type { WatchedTransfers } from './new-transfer';
import { triggerParameters } from './parameters';

/** The events, as the form offers them. */
const EVENTS = [
	'newTransfer',
	'balanceChanged',
	'balanceCrossedThreshold',
	'contractValue',
] as const;

export type WatchedEvent = WatchedTransfers | WatchedBalance | WatchedValue;

export interface TriggerSettings {
	/** The watched users, or the address of the watched contract. */
	readonly watchedIds: readonly string[];
	readonly event: WatchedEvent;
	/** Fingerprint of service, event and watched values. A change makes the saved state meaningless. */
	readonly watched: string;
}

/** Reads an amount in whole coins or tokens; 0 if it is empty. */
function wholeAmount(read: ReadParameter, name: string): Decimal {
	const given = read(name, '');
	return parseWholeAmount(given === '' || given === undefined ? 0 : given, name);
}

function readThreshold(read: ReadParameter) {
	const crossing = parseChoice(read('crossing', ''), ['above', 'below', 'both'], 'crossing');
	const threshold = wholeAmount(read, 'threshold');
	const hysteresis = wholeAmount(read, 'hysteresis');
	if (threshold.digits === 0n) {
		const hint = 'Enter an amount above 0: no balance falls below 0';
		refuse('threshold', 'The threshold is empty or 0', hint);
	}
	if (crossing !== 'below' && subtract(hysteresis, threshold).digits >= 0n) {
		refuse(
			'hysteresis',
			'It must be smaller than the threshold; otherwise the balance could never drop that far below it',
			'Enter an amount below the threshold, or leave it empty',
		);
	}
	return { crossing, threshold, hysteresis };
}

function readEvent(read: ReadParameter): WatchedEvent {
	const name = parseChoice(read('event', ''), EVENTS, 'event');
	const options = read('options', '');
	const { emitExisting: existing = false } = isObject(options) ? options : {};
	const emitExisting = parseSwitch(existing, ['options', 'emitExisting']);
	if (name === 'contractValue') return readWatchedValue(read, emitExisting);
	if (name === 'newTransfer') {
		const filter = checkFilter({
			direction: parseChoice(read('direction', ''), DIRECTIONS, 'direction'),
			tokenAddress: parseTokenFilter(read('token', ''))?.toLowerCase(),
			minimumAmount: wholeAmount(read, 'minimumAmount'),
		});
		return { name, filter, emitExisting };
	}
	const asset = parseChoice(read('asset', ''), ['native', 'token'], 'asset');
	const tokenAddress = asset === 'token' ? parseToken(read('token', '')) : undefined;
	if (name === 'balanceChanged') {
		const minimumChange = wholeAmount(read, 'minimumChange');
		return { name, minimumChange, tokenAddress, emitExisting };
	}
	return { name, ...readThreshold(read), tokenAddress, emitExisting };
}

/** The parts of an event whose change makes the saved state meaningless. */
function fingerprintOf(event: WatchedEvent): unknown[] {
	if (event.name === 'contractValue') return fingerprintOfValue(event);
	if (event.name === 'newTransfer') return [event.filter.tokenAddress];
	const tokenAddress = event.tokenAddress?.toLowerCase();
	if (event.name === 'balanceChanged') return [tokenAddress];
	const { crossing, threshold, hysteresis } = event;
	return [tokenAddress, crossing, formatDecimal(threshold), formatDecimal(hysteresis)];
}

/** Reads and checks the trigger's parameters. @throws InvalidInputError that names the invalid parameter. */
export async function readTriggerSettings(context: IPollFunctions): Promise<TriggerSettings> {
	const read = parameterReader(context, triggerParameters);
	const { credential, baseUrl } = await readAccount(context);
	const event = readEvent(read);
	const watchedIds =
		event.name === 'contractValue'
			? [event.call.contractAddress.toLowerCase()]
			: await usersOf(read('userIds', ''), () => credential, 'userIds');
	const watched = JSON.stringify([baseUrl, event.name, ...fingerprintOf(event)]);
	// A hash is short, and keeps addresses out of the workflow data that n8n shows.
	return { watchedIds, event, watched: id(watched).slice(2, 18) };
}
