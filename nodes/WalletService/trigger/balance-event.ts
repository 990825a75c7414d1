import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../request/http/answer';
import { answerItems } from '../resources/answer-items';
import { simplifyBalance } from '../resources/balance/simplify-balance';
import type { BalanceEvent, BalanceState, BalanceStep } from './balance-state';
import { advanceChange, advanceThreshold, sideOf } from './balance-state';
import type { Observation } from './observation';
import { assertDecimals } from './observation';
import type { TriggerSettings, WatchedEvent } from './settings';
import type { WalletReader } from './wallet-reader';

type WatchedBalance = Extract<WatchedEvent, { tokenAddress: string | undefined }>;

/** Marks an item of a test, whose balance is real. */
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

function changeOf({ previous, current }: BalanceEvent): IDataObject {
	if (previous === undefined) {
		return { previous: null, current: current.toString(), difference: null, direction: null };
	}
	const isUp = current > previous;
	return {
		previous: previous.toString(),
		current: current.toString(),
		difference: (current - previous).toString(),
		direction: isUp ? 'increased' : current < previous ? 'decreased' : 'unchanged',
	};
}

function fieldsOf(happened: BalanceEvent, event: WatchedBalance): IDataObject {
	const change = changeOf(happened);
	if (event.name === 'balanceChanged') return change;
	return { ...change, threshold: event.rules.threshold.toString(), crossed: happened.crossed };
}

function advanceBalance(
	state: BalanceState | undefined,
	current: bigint,
	event: WatchedBalance,
): BalanceStep {
	return event.name === 'balanceChanged'
		? advanceChange(state, current, event.rules)
		: advanceThreshold(state, current, event.rules);
}

/**
 * Asks the service for the balance that is watched of a user's wallet.
 *
 * @throws ServiceError when the service fails or its answer is malformed, InvalidInputError when the decimals are wrong.
 */
export async function observeBalance(
	reader: WalletReader,
	userId: string,
	event: WatchedBalance,
	decimals: TriggerSettings['decimals'],
): Promise<Observation> {
	const { tokenAddress } = event;
	const json = readBalance(await reader.balance(userId, tokenAddress), userId, tokenAddress);
	assertDecimals(decimals, json);
	const current = BigInt(String(json.baseUnits));
	return {
		advance(before) {
			const step = advanceBalance(before.balance, current, event);
			const items = step.event === undefined ? [] : [fieldsOf(step.event, event)];
			return {
				state: { balance: step.state },
				items: items.map((fields) => ({ time: 0, json: { ...json, ...fields } })),
				mustBeSaved: before.balance?.side !== step.state.side,
			};
		},
		sample() {
			const crossed =
				event.name === 'balanceChanged' ? 'above' : sideOf(undefined, current, event.rules);
			const fields = fieldsOf({ previous: current, current, crossed }, event);
			return { time: 0, json: { ...json, ...fields, sample: SAMPLE } };
		},
	};
}
