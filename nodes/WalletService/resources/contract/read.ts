import type { CheckedCall } from '../../contract/call';
import { comparisonBy } from '../../contract/comparison';
import { returnsTokenAmount } from '../../contract/token-amount';
import { ServiceError } from '../../request/failure/service-error';
import { ROUTES } from '../../request/http/routes';
import type { CheckSchedule } from '../../request/run/repeated-checks';
import { checkUntil } from '../../request/run/repeated-checks';
import type { Plan } from '../../request/run/plan';
import { monotonicMs, wallClockMs } from '../../values/clock';
import { quote } from '../../values/quote';
import { completeCall, LookUps } from '../look-ups/look-ups';
import type { Operation } from '../operation';
import { answerItems, unreadable } from '../plan-get';
import { checkedFields } from '../wait-options';
import { assertCanScale, readReadOptions, scaleByDecimals } from './call-options';
import { planCall } from './contract-call';
import { argumentsAsJson, callParameters, contractAddress } from './parameters';
import { comparableResponse, readContract, responseOf, simplifyRead } from './response';
import type { Wait } from './wait-until';
import { readWaitUntil, waitUntilOption } from './wait-until';

/** Why a value does not meet a condition, in words that precede the operand. */
const UNMET = {
	atLeast: 'is not at least',
	atMost: 'is not at most',
	is: 'is not',
	isNot: 'equals',
};

function notMet(
	{ contractFunction }: CheckedCall,
	{ condition }: Wait,
	{ value, seconds }: { readonly value: unknown; readonly seconds: unknown },
): ServiceError {
	const state =
		condition.name === 'changed'
			? 'unchanged since the first check'
			: `which ${UNMET[condition.name]} ${quote(condition.operand)}`;
	return new ServiceError({
		message: `${contractFunction.key} returned ${quote(value)}, ${state} (checked for ${String(seconds)} s)`,
		hint: 'Check again later, or allow more time under Wait Until',
		code: 'not-met',
	});
}

/**
 * Repeats the read until the condition is met or the time is up.
 *
 * @throws ServiceError also if an answer cannot be compared.
 */
async function readUntil(
	{ condition, waitMs }: Wait,
	{ checked, lookUps }: { readonly checked: CheckedCall; readonly lookUps: LookUps },
	place: Pick<CheckSchedule, 'item' | 'run'>,
) {
	const { contractFunction: fn } = checked;
	const isChange = condition.name === 'changed';
	const isAsWanted = isChange ? undefined : await comparisonBy(fn, condition, lookUps);
	let first: string | undefined;
	const check = async () => {
		const answer = await readContract(lookUps.client, checked);
		// The time is taken after the answer, because the item may have waited for other requests of the run.
		const times = { at: monotonicMs(), checkedAt: wallClockMs() };
		const value = await comparableResponse(fn, responseOf(answer));
		first ??= JSON.stringify(value);
		const isMet = isAsWanted?.(value) ?? JSON.stringify(value) !== first;
		return { ...times, found: { answer, isMet } };
	};
	return await checkUntil({ ...place, waitMs }, check, ({ isMet }) => isMet);
}

/** Plans a contract read. Arguments are checked on sending, because they may need look-ups of users and tokens. */
const planRead: Plan = async (item, run, { url, isSimple }) => {
	const options = readReadOptions(item.read);
	const planned = await planCall(item.read, 'read');
	const { contractFunction, standard } = planned;
	const isAmount = standard !== undefined && returnsTokenAmount(contractFunction, standard);
	assertCanScale(contractFunction, options);
	const wait = readWaitUntil(options.waitUntil, planned, options.decimals);
	return {
		url,
		isLongRunning: wait && true,
		send: async (client) => {
			const lookUps = new LookUps(client, planned.contractAddress);
			const checked = await completeCall(planned, 'read', lookUps);
			const itemsOf = async (answer: unknown) => {
				if (!isSimple) return answerItems(answer, undefined);
				const token = isAmount ? await lookUps.tokenInWords() : undefined;
				const call = { checked, options, token };
				return await simplifyRead(answer, call, { item, run }).catch((error: unknown) => {
					throw unreadable(error, answer);
				});
			};
			if (wait === undefined) {
				return await itemsOf(await readContract(client, checked, false));
			}
			const last = await readUntil(wait, { checked, lookUps }, { item, run });
			const { answer, isMet } = last.found;
			const met = { met: isMet };
			const checkedTimes = checkedFields(last);
			const items = await itemsOf(answer);
			if (isMet || !wait.mustBeMet) {
				return items.map((json) => ({ ...met, ...json, ...checkedTimes, ...met }));
			}
			const value = items[0]?.value ?? responseOf(answer);
			throw notMet(checked, wait, { value, seconds: checkedTimes.checkedFor });
		},
	};
};

export const read: Operation = {
	option: {
		name: 'Read',
		value: 'read',
		action: 'Read contract value',
		description: 'Call a read-only function of a smart contract, free of charge',
	},
	route: ROUTES.read,
	input: [contractAddress, ...callParameters('read')],
	fields: [
		...['met', 'value', 'amount', 'symbol', 'status', 'explorerUrl', 'resolvedAddresses'],
		...['checkedFor', 'checkedAt'],
	],
	options: [waitUntilOption, scaleByDecimals, argumentsAsJson],
	plan: planRead,
};
