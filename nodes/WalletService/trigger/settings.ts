import { id } from 'ethers';
import type { IPollFunctions } from 'n8n-workflow';

import { readActiveCredential } from '../request/credential/active-credential';
import { normalizeBaseUrl } from '../request/credential/base-url';
import type { ReadParameter as ReadOr } from '../request/run/read-parameter';
import { parameterReader } from '../request/run/read-parameter';
import type { TransferFilter } from '../resources/history/filter';
import { checkFilter, DIRECTIONS } from '../resources/history/filter';
import { parseToken, parseTokenFilter } from '../resources/read-token';
import type { Amount } from '../values/amount';
import { isAtLeast, nameOfAmount, parseWholeAmount } from '../values/amount';
import { parseChoice } from '../values/choice';
import { formatDecimal } from '../values/decimal';
import { InvalidInputError } from '../values/invalid-input';
import { isObject } from '../values/objects';
import { quote } from '../values/quote';
import { usersOf } from '../values/user-ids';
import type { Crossing } from './balance-state';
import { triggerParameters } from './parameters';
import type { WatchedValue } from './value-settings';
import { detailsOfValue, readWatchedValue } from './value-settings';

/** The event a trigger waits for, with its rules. */
export type WatchedEvent =
	| {
			readonly name: 'newTransfer';
			readonly filter: TransferFilter;
			readonly emitExisting: boolean;
	  }
	| {
			readonly name: 'balanceChanged';
			readonly minimumChange: Amount;
			/** Token contract as entered; absent for the native coin. */
			readonly tokenAddress: string | undefined;
			readonly emitExisting: boolean;
	  }
	| (ThresholdSettings & {
			readonly name: 'balanceCrossedThreshold';
			readonly tokenAddress: string | undefined;
			readonly emitExisting: boolean;
	  })
	| WatchedValue;

interface ThresholdSettings {
	readonly crossing: Crossing;
	readonly threshold: Amount;
	readonly hysteresis: Amount;
}

/** The checked parameters of a trigger. */
export interface TriggerSettings {
	/** The users whose wallets are watched, or the address of the contract that is. */
	readonly watchedIds: readonly string[];
	readonly event: WatchedEvent;
	/** Fingerprint of service, event, and what is watched for. A change makes the saved state meaningless. */
	readonly watched: string;
}

/** Reads a parameter; an empty text where there is none. */
type ReadParameter = (name: string) => unknown;

/** An amount in the unit that the user has chosen for all of them; 0 if it is left empty. */
function readAmount(read: ReadParameter, name: string): Amount {
	const unit = parseChoice(read('amountUnit'), ['base', 'whole'], 'amountUnit');
	const given = read(name);
	if (given === '' || given === undefined) return { digits: 0n, places: 0 };
	// A token of one decimal place has 1.50 as well.
	const amount = parseWholeAmount(formatDecimal(parseWholeAmount(given, name)), name);
	if (unit === 'whole') return amount;
	if (amount.places === 0) return { digits: amount.digits, places: undefined };
	throw new InvalidInputError({
		parameter: name,
		value: given,
		message: `${quote(given)} is no whole number of base units`,
		hint: 'Choose Whole Coins or Tokens under Amounts In for amounts with a decimal point',
	});
}

function readTransferFilter(read: ReadParameter): TransferFilter {
	return checkFilter({
		direction: parseChoice(read('direction'), DIRECTIONS, 'direction'),
		tokenAddress: parseTokenFilter(read('token'))?.toLowerCase(),
		minimumAmount: readAmount(read, 'minimumAmount'),
	});
}

function readThreshold(read: ReadParameter): ThresholdSettings {
	const crossing = parseChoice(read('crossing'), ['above', 'below', 'both'], 'crossing');
	const threshold = readAmount(read, 'threshold');
	const hysteresis = readAmount(read, 'hysteresis');
	if (threshold.digits === 0n) {
		throw new InvalidInputError({
			parameter: 'threshold',
			value: read('threshold'),
			message: 'No threshold is given',
			hint: 'Give an amount above 0: no balance falls below 0',
		});
	}
	const { digits, places = 0 } = hysteresis;
	// Both are in the same unit.
	if (
		crossing !== 'below' &&
		isAtLeast({ digits, places }, { ...threshold, places: threshold.places ?? 0 })
	) {
		throw new InvalidInputError({
			parameter: 'hysteresis',
			value: read('hysteresis'),
			message:
				'It is not smaller than the threshold, so no balance could ever fall that far behind it',
			hint: 'Give an amount below the threshold, or leave it empty',
		});
	}
	return { crossing, threshold, hysteresis };
}

function readEvent(read: ReadParameter, readOr: ReadOr): WatchedEvent {
	const name = read('event');
	const options = read('options');
	const emitExisting = isObject(options) && options.emitExisting === true;
	if (name === 'contractValue') return readWatchedValue(readOr, emitExisting);
	if (name === 'newTransfer') {
		return { name, filter: readTransferFilter(read), emitExisting };
	}
	const tokenAddress = read('asset') === 'token' ? parseToken(read('token')) : undefined;
	if (name === 'balanceChanged') {
		return { name, minimumChange: readAmount(read, 'minimumChange'), tokenAddress, emitExisting };
	}
	const rules = readThreshold(read);
	return { name: 'balanceCrossedThreshold', ...rules, tokenAddress, emitExisting };
}

/** What of an event makes the saved state meaningless when it is changed. */
function detailsOf(event: WatchedEvent): unknown[] {
	if (event.name === 'contractValue') return detailsOfValue(event);
	if (event.name === 'newTransfer') return [event.filter.tokenAddress];
	const tokenAddress = event.tokenAddress?.toLowerCase();
	if (event.name === 'balanceChanged') return [tokenAddress];
	const { crossing, threshold, hysteresis } = event;
	return [tokenAddress, crossing, nameOfAmount(threshold), nameOfAmount(hysteresis)];
}

function nameWatched(baseUrl: string, event: WatchedEvent): string {
	// Hashed, to be short and to keep addresses out of what n8n shows of a workflow.
	return id(JSON.stringify([baseUrl, event.name, ...detailsOf(event)])).slice(2, 18);
}

/**
 * Reads and checks the trigger's parameters.
 *
 * @throws InvalidInputError that names the invalid parameter.
 */
export async function readTriggerSettings(context: IPollFunctions): Promise<TriggerSettings> {
	const readOrEmpty = parameterReader(context, triggerParameters);
	const read: ReadParameter = (name) => readOrEmpty(name, '');
	const credential = await readActiveCredential(context);
	const baseUrl = normalizeBaseUrl(credential.baseUrl, credential.allowInsecureHttp === true);
	const event = readEvent(read, readOrEmpty);
	const watchedIds =
		event.name === 'contractValue'
			? [event.call.contractAddress.toLowerCase()]
			: usersOf(read('userIds'), credential.userId, 'userIds');
	return {
		watchedIds,
		event,
		watched: nameWatched(baseUrl, event),
	};
}
