import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../request/http/answer';
import { fillRoute, ROUTES } from '../request/http/routes';
import type { ServiceClient } from '../request/http/service-client';
import type { ReadParameter } from '../request/run/read-parameter';
import { answerItems } from '../resources/plan-get';
import { simplifyBalance } from '../resources/balance/simplify-balance';
import { NOT_KNOWN } from '../resources/history/transfer';
import { parseToken } from '../resources/read-token';
import { toBaseUnits } from '../values/amount';
import { parseChoice, parseSwitch } from '../values/choice';
import type { Decimal } from '../values/decimal';
import { formatDecimal, formatUnitsExact, subtract } from '../values/decimal';
import { refuse } from '../values/invalid-input';
import { defined } from '../values/objects';
import type { Observation, WatchedEvent } from './observation';
import { chainIdOf, movement, sampleOf, wholeAmount } from './observation';
import type { BalanceState, Side } from './state';

interface ChangeRules<Amount> {
	readonly name: 'balanceChanged';
	/** Smallest change that counts; smaller ones add up. */
	readonly minimumChange: Amount;
}

export type Crossing = Side | 'both';

interface ThresholdRules<Amount> {
	readonly name: 'balanceCrossedThreshold';
	readonly crossing: Crossing;
	/** A balance of at least this amount counts as above. */
	readonly threshold: Amount;
	/** Distance that a balance has to move back past the threshold before it can cross again. */
	readonly hysteresis: Amount;
}

/** The rules of an event, with amounts in base units once the decimals of the coin or token are known. */
type BalanceRules<Amount = bigint> = (ChangeRules<Amount> | ThresholdRules<Amount>) & {
	/** Whether the first answer is reported; for a threshold, only if it is on the awaited side. */
	readonly emitExisting: boolean;
};

/** The side of the threshold that a balance is on; between the two bounds, the side does not change. */
function sideOf(before: Side | undefined, balance: bigint, rules: ThresholdRules<bigint>): Side {
	const { crossing, threshold, hysteresis } = rules;
	if (before === undefined) return balance >= threshold ? 'above' : 'below';
	// The awaited crossing is at the threshold itself; the opposite one also requires the hysteresis.
	const lower = crossing === 'below' ? threshold : threshold - hysteresis;
	const upper = crossing === 'above' ? threshold : threshold + hysteresis;
	if (before === 'above') return balance < lower ? 'below' : 'above';
	return balance >= upper ? 'above' : 'below';
}

/**
 * Processes one balance. Changes are measured from the last reported balance, so that small ones add up.
 *
 * @param state `undefined` for a wallet that is observed for the first time
 * @param balance in base units, like the amounts of the rules
 */
export function advanceBalance(
	state: BalanceState | undefined,
	balance: bigint,
	rules: BalanceRules,
): { readonly state: BalanceState; readonly isReported: boolean } {
	if (rules.name === 'balanceChanged') {
		// Both events share one state; without a threshold, the side has no meaning.
		const next: BalanceState = { balance, side: 'above' };
		if (state === undefined) return { state: next, isReported: rules.emitExisting };
		const moved = balance - state.balance;
		const change = moved < 0n ? -moved : moved;
		const isReported = change > 0n && change >= rules.minimumChange;
		return { state: isReported ? next : state, isReported };
	}
	const side = sideOf(state?.side, balance, rules);
	const isCrossed = state === undefined ? rules.emitExisting : side !== state.side;
	const isAwaited = rules.crossing === 'both' || rules.crossing === side;
	return { state: { balance, side }, isReported: isCrossed && isAwaited };
}

/** Requests the balance as the service reports it (interface, sections 4.2 and 4.3). */
async function readBalance(
	client: ServiceClient,
	userId: string,
	tokenAddress: string | undefined,
): Promise<IDataObject> {
	const { url } = tokenAddress === undefined ? ROUTES.nativeBalance : ROUTES.tokenBalance;
	const values = { userId, ...(tokenAddress !== undefined && { tokenAddress }) };
	const answer = await client.get(fillRoute(url, values), { fresh: true });
	const [json, ...more] = answerItems(answer, simplifyBalance, values);
	if (json !== undefined && more.length === 0) return json;
	throw unexpectedAnswer('one balance', answer);
}

/** Converts rules to base units. @throws InvalidInputError if an amount has more decimal places than the coin or token. */
function rulesInBaseUnits(event: BalanceRules<Decimal>, decimals: number): BalanceRules {
	if (event.name === 'balanceChanged') {
		const minimumChange = toBaseUnits(event.minimumChange, decimals, 'minimumChange');
		return { ...event, minimumChange };
	}
	const threshold = toBaseUnits(event.threshold, decimals, 'threshold');
	const hysteresis = toBaseUnits(event.hysteresis, decimals, 'hysteresis');
	return { ...event, threshold, hysteresis };
}

/** An item with the human-readable fields first. */
function balanceItem(
	json: IDataObject,
	previous: bigint | undefined,
	{ balance, side }: BalanceState,
	rules: BalanceRules,
): IDataObject {
	const { userId, symbol, amount, ...rest } = json;
	const decimals = Number(json.decimals);
	const before = previous === undefined ? NOT_KNOWN : formatUnitsExact(previous, decimals);
	const moved = movement(previous, balance, decimals);
	const crossed = rules.name === 'balanceCrossedThreshold' && {
		threshold: formatUnitsExact(rules.threshold, decimals),
		crossed: side,
	};
	const first = defined({ userId, symbol, amount, previous: before });
	return { ...first, ...moved, ...crossed, ...rest };
}

async function observeBalance(
	event: BalanceRules<Decimal>,
	...asked: Parameters<typeof readBalance>
): Promise<Observation> {
	const json = await readBalance(...asked);
	const rules = rulesInBaseUnits(event, Number(json.decimals));
	const current = BigInt(String(json.baseUnits));
	return {
		chainId: chainIdOf([json.chainId]),
		advance({ balance: before }) {
			const { state, isReported } = advanceBalance(before, current, rules);
			const item = () => ({ time: 0, json: balanceItem(json, before?.balance, state, rules) });
			return {
				state: { balance: state },
				items: isReported ? [item()] : [],
				mustBeSaved: before?.side !== state.side,
			};
		},
		sample() {
			const { state } = advanceBalance(undefined, current, rules);
			const crossing = rules.name === 'balanceChanged' ? 'both' : rules.crossing;
			const side = crossing === 'both' ? state.side : crossing;
			return sampleOf(balanceItem(json, current, { ...state, side }, rules), 'balance');
		},
	};
}

/** @param identifying the rules whose change makes the saved state meaningless */
function watchAsset(
	read: ReadParameter,
	event: BalanceRules<Decimal>,
	identifying: readonly string[] = [],
): WatchedEvent {
	const asset = parseChoice(read('asset', ''), ['native', 'token'], 'asset');
	const tokenAddress = asset === 'token' ? parseToken(read('token', '')) : undefined;
	return {
		fingerprint: [tokenAddress?.toLowerCase(), ...identifying],
		observe: async (client, userId) => await observeBalance(event, client, userId, tokenAddress),
	};
}

/** Reads the event *Balance Changed*. @throws InvalidInputError that names the invalid parameter. */
export function watchBalance(read: ReadParameter, emitExisting: boolean): WatchedEvent {
	const minimumChange = wholeAmount(read, 'minimumChange');
	return watchAsset(read, { name: 'balanceChanged', minimumChange, emitExisting });
}

/** Reads the event *Balance Crossed Threshold*. @throws InvalidInputError that names the invalid parameter. */
export function watchThreshold(read: ReadParameter, emitExisting: boolean): WatchedEvent {
	const crossing = parseChoice(read('crossing', ''), ['above', 'below', 'both'], 'crossing');
	const threshold = wholeAmount(read, 'threshold');
	const hysteresis = wholeAmount(read, 'hysteresis');
	if (threshold.digits === 0n) {
		const hint = 'Enter an amount above 0: no balance falls below 0';
		refuse('threshold', 'The threshold is empty or 0', hint);
	}
	if (crossing !== 'below' && subtract(hysteresis, threshold).digits >= 0n) {
		const problem =
			'It must be smaller than the threshold; otherwise the balance could never drop that far below it';
		refuse('hysteresis', problem, 'Enter an amount below the threshold, or leave it empty');
	}
	const rules = { name: 'balanceCrossedThreshold', crossing, threshold, hysteresis } as const;
	const amounts = [formatDecimal(threshold), formatDecimal(hysteresis)];
	const isPast = parseSwitch(read('alertIfPast', false), 'alertIfPast');
	return watchAsset(read, { ...rules, emitExisting: emitExisting || isPast }, [
		crossing,
		...amounts,
	]);
}
