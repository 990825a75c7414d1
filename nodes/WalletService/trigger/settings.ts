import { id } from 'ethers';
import type { IPollFunctions } from 'n8n-workflow';

import { readActiveCredential } from '../request/credential/active-credential';
import { normalizeBaseUrl } from '../request/credential/base-url';
import { parseAddress } from '../values/address';
import { parseDecimals } from '../values/decimals';
import { InvalidInputError } from '../values/invalid-input';
import { isObject } from '../values/objects';
import { parseUnitAmount } from '../values/units';
import type { ChangeRules, Crossing, ThresholdRules } from './balance-state';
import { parseUserIds } from './user-ids';

/** Which transfers of a wallet start the workflow. */
export interface TransferFilter {
	readonly direction: 'any' | 'incoming' | 'outgoing';
	/** Token contract, lower case; absent for any. */
	readonly tokenAddress: string | undefined;
	/** Base units. */
	readonly minimumAmount: bigint;
}

/** The event a trigger waits for, with its rules. */
export type WatchedEvent =
	| {
			readonly name: 'newTransfer';
			readonly filter: TransferFilter;
			readonly emitExisting: boolean;
	  }
	| {
			readonly name: 'balanceChanged';
			readonly rules: ChangeRules;
			/** Token contract as entered; absent for the native coin. */
			readonly tokenAddress: string | undefined;
	  }
	| {
			readonly name: 'balanceCrossedThreshold';
			readonly rules: ThresholdRules;
			readonly tokenAddress: string | undefined;
	  };

/** The checked parameters of a trigger. */
export interface TriggerSettings {
	readonly userIds: readonly string[];
	readonly event: WatchedEvent;
	/** Decimals that the user entered for the amounts; `undefined` without amounts, or for base units. */
	readonly decimals: number | undefined;
	/** Fingerprint of service, event, asset and threshold. A change makes the saved state meaningless. */
	readonly watched: string;
}

type ReadParameter = (name: string) => unknown;

function readToken(read: ReadParameter): string | undefined {
	const given = read('contractAddress');
	if (given === '' || given === undefined) return undefined;
	return parseAddress(given, 'contractAddress');
}

function readDirection(value: unknown): TransferFilter['direction'] {
	return value === 'incoming' || value === 'outgoing' ? value : 'any';
}

function readCrossing(value: unknown): Crossing {
	return value === 'above' || value === 'both' ? value : 'below';
}

/** Reads amounts, which all have the unit that the user has chosen. */
class Amounts {
	/** Decimals that the user entered; `undefined` for base units, and until an amount is read. */
	decimals: number | undefined;

	readonly #read: ReadParameter;

	constructor(read: ReadParameter) {
		this.#read = read;
	}

	/** An amount in base units, 0 if it is left empty. */
	read(name: string): bigint {
		const given = this.#read(name);
		if (given === '' || given === undefined) return 0n;
		if (this.#read('amountUnit') !== 'whole') return parseUnitAmount(given, 0, name);
		this.decimals = parseDecimals(this.#read('decimals'));
		return parseUnitAmount(given, this.decimals, name);
	}
}

function readTransferFilter(read: ReadParameter, amounts: Amounts): TransferFilter {
	const filter: TransferFilter = {
		direction: readDirection(read('direction')),
		tokenAddress: readToken(read)?.toLowerCase(),
		minimumAmount: amounts.read('minimumAmount'),
	};
	if (filter.minimumAmount === 0n || filter.tokenAddress !== undefined) return filter;
	throw new InvalidInputError({
		parameter: 'minimumAmount',
		value: read('minimumAmount'),
		message: 'An amount says nothing without a token',
		hint: 'Enter the Contract Address of the token whose transfers are meant, or leave the amount empty',
	});
}

function readThreshold(
	read: ReadParameter,
	amounts: Amounts,
): Omit<ThresholdRules, 'emitExisting'> {
	const crossing = readCrossing(read('crossing'));
	const threshold = amounts.read('threshold');
	const hysteresis = amounts.read('hysteresis');
	if (threshold === 0n) {
		throw new InvalidInputError({
			parameter: 'threshold',
			value: read('threshold'),
			message: 'No threshold is given',
			hint: 'Give an amount above 0: no balance falls below 0',
		});
	}
	if (crossing !== 'below' && hysteresis >= threshold) {
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

function readEvent(read: ReadParameter, amounts: Amounts): WatchedEvent {
	const name = read('event');
	const options = read('options');
	const emitExisting = isObject(options) && options.emitExisting === true;
	if (name === 'newTransfer') {
		return { name, filter: readTransferFilter(read, amounts), emitExisting };
	}
	const tokenAddress =
		read('asset') === 'token'
			? parseAddress(read('contractAddress'), 'contractAddress')
			: undefined;
	if (name === 'balanceChanged') {
		const rules = { minimumChange: amounts.read('minimumChange'), emitExisting };
		return { name, rules, tokenAddress };
	}
	const rules = { ...readThreshold(read, amounts), emitExisting };
	return { name: 'balanceCrossedThreshold', rules, tokenAddress };
}

function nameWatched(baseUrl: string, event: WatchedEvent): string {
	const details =
		event.name === 'newTransfer'
			? [event.filter.tokenAddress]
			: [event.tokenAddress?.toLowerCase()];
	if (event.name === 'balanceCrossedThreshold') {
		const { crossing, threshold, hysteresis } = event.rules;
		details.push(crossing, threshold.toString(), hysteresis.toString());
	}
	// Hashed, to be short and to keep addresses out of what n8n shows of a workflow.
	return id(JSON.stringify([baseUrl, event.name, ...details])).slice(2, 18);
}

/**
 * Reads and checks the trigger's parameters.
 *
 * @throws InvalidInputError that names the invalid parameter.
 */
export async function readTriggerSettings(context: IPollFunctions): Promise<TriggerSettings> {
	const read: ReadParameter = (name) => context.getNodeParameter(name, '');
	const credential = await readActiveCredential(context);
	const baseUrl = normalizeBaseUrl(credential.baseUrl, credential.allowInsecureHttp === true);
	const amounts = new Amounts(read);
	const event = readEvent(read, amounts);
	return {
		userIds: parseUserIds(read('userIds'), credential.userId),
		event,
		decimals: amounts.decimals,
		watched: nameWatched(baseUrl, event),
	};
}
