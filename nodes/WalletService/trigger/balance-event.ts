import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../request/http/answer';
import { answerItems } from '../resources/answer-items';
import { simplifyBalance } from '../resources/balance/simplify-balance';
import { toBaseUnits } from '../values/amount';
import { formatUnitsExact } from '../values/decimal';
import type {
	BalanceEvent,
	BalanceState,
	BalanceStep,
	ChangeRules,
	ThresholdRules,
} from './balance-state';
import { advanceChange, advanceThreshold, sideOf } from './balance-state';
import type { Observation } from './observation';
import type { WatchedEvent } from './settings';
import type { WalletReader } from './wallet-reader';

type WatchedBalance = Extract<WatchedEvent, { tokenAddress: string | undefined }>;

/** Marks a test item, whose balance is real. */
const SAMPLE = 'Only for testing: the balance is real, the change is not';

function readBalance(
	answer: unknown,
	userId: string,
	tokenAddress: string | undefined,
): IDataObject {
	const [json, ...more] = answerItems(answer, (given) => simplifyBalance(given, { userId }));
	const isOther =
		tokenAddress !== undefined &&
		String(json?.tokenAddress).toLowerCase() !== tokenAddress.toLowerCase();
	if (json !== undefined && more.length === 0 && !isOther) return json;
	throw unexpectedAnswer('the balance of the asset that was asked for', answer);
}

/** The rules in base units of the coin or token that the service names. */
type Rules =
	| ({ readonly name: 'balanceChanged' } & ChangeRules)
	| ({ readonly name: 'balanceCrossedThreshold' } & ThresholdRules);

/** @throws InvalidInputError when an amount has more decimal places than the coin or token. */
function rulesOf(event: WatchedBalance, decimals: number): Rules {
	const { name, emitExisting } = event;
	if (name === 'balanceChanged') {
		const minimumChange = toBaseUnits(event.minimumChange, decimals, 'minimumChange');
		return { name, minimumChange, emitExisting };
	}
	const { crossing } = event;
	const threshold = toBaseUnits(event.threshold, decimals, 'threshold');
	const hysteresis = toBaseUnits(event.hysteresis, decimals, 'hysteresis');
	return { name, crossing, threshold, hysteresis, emitExisting };
}

/** What happened, in whole coins or tokens. */
function changeOf({ previous, current }: BalanceEvent, decimals: number): IDataObject {
	if (previous === undefined) return { previous: null, difference: null, direction: null };
	const isUp = current > previous;
	return {
		previous: formatUnitsExact(previous, decimals),
		difference: formatUnitsExact(current - previous, decimals),
		direction: isUp ? 'increased' : current < previous ? 'decreased' : 'unchanged',
	};
}

/** An item: what a person reads comes first. */
function itemOf(json: IDataObject, happened: BalanceEvent, rules: Rules): IDataObject {
	const { userId, symbol, amount, ...rest } = json;
	const decimals = Number(json.decimals);
	const change = { userId, symbol, amount, ...changeOf(happened, decimals) };
	if (rules.name === 'balanceChanged') return { ...change, ...rest };
	const threshold = formatUnitsExact(rules.threshold, decimals);
	return { ...change, threshold, crossed: happened.crossed, ...rest };
}

function advanceBalance(
	state: BalanceState | undefined,
	current: bigint,
	rules: Rules,
): BalanceStep {
	return rules.name === 'balanceChanged'
		? advanceChange(state, current, rules)
		: advanceThreshold(state, current, rules);
}

/**
 * Asks the service for the watched balance of a user's wallet.
 *
 * @throws ServiceError when the service fails or its answer is malformed, InvalidInputError when an amount has more decimal
 * places than the coin or token.
 */
export async function observeBalance(
	reader: WalletReader,
	userId: string,
	event: WatchedBalance,
): Promise<Observation> {
	const { tokenAddress } = event;
	const json = readBalance(await reader.balance(userId, tokenAddress), userId, tokenAddress);
	const rules = rulesOf(event, Number(json.decimals));
	const current = BigInt(String(json.baseUnits));
	return {
		advance(before) {
			const step = advanceBalance(before.balance, current, rules);
			const happened = step.event === undefined ? [] : [step.event];
			return {
				state: { balance: step.state },
				items: happened.map((one) => ({ time: 0, json: itemOf(json, one, rules) })),
				mustBeSaved: before.balance?.side !== step.state.side,
			};
		},
		sample() {
			const crossed = rules.name === 'balanceChanged' ? 'above' : sideOf(undefined, current, rules);
			const item = itemOf(json, { previous: current, current, crossed }, rules);
			return { time: 0, json: { ...item, sample: SAMPLE } };
		},
	};
}
