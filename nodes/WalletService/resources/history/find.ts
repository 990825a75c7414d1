import type { IDataObject } from 'n8n-workflow';

import type { FailureCode } from '../../request/failure/failure-code';
import { ServiceError } from '../../request/failure/service-error';
import { ROUTES } from '../../request/http/routes';
import type { Item } from '../../request/run/item';
import { checkUntil } from '../../request/run/repeated-checks';
import type { Plan } from '../../request/run/plan';
import { perRun } from '../../request/run/run';
import { shortAddress } from '../../values/address';
import { monotonicMs, wallClockMs } from '../../values/clock';
import { formatDecimal } from '../../values/decimal';
import type { Problem } from '../../values/invalid-input';
import { inSentences, refuse } from '../../values/invalid-input';
import { defined } from '../../values/objects';
import { inOneLine } from '../../values/quote';
import type { Operation } from '../operation';
import type { FilledPath } from '../plan-get';
import { fillPaths } from '../plan-get';
import { askUnlisted, endInWords } from './transaction-state';
import { checkedFields, durationInWords, noteSending, parseWait, waitUpTo } from '../wait-options';
import { findOptions, readFindOptions } from './find-options';
import { closestTo, Listing, SharedChecks } from './listing';
import {
	ownAddress,
	TRANSFER_FIELDS,
	transferItem,
	transfersIn,
	transfersInWords,
} from './transfer';
import type { WantedTransfer } from './wanted-transfer';
import { completeQuery, describedTransfer, findInput, readWanted } from './wanted-transfer';

/** Reads the path of a single user's history. @throws InvalidInputError for several users. */
async function readOnePath(item: Item, route: string): Promise<FilledPath> {
	const [path, ...others] = await fillPaths(route, item);
	if (path !== undefined && others.length === 0) return path;
	const hint = 'Enter one user per item: the sender or the recipient';
	return refuse('userId', `${others.length + 1} users entered instead of one`, hint);
}

/** The missing transfer, in the fields that a later Find Transfer needs to search for it again. */
function wantedFields(wanted: WantedTransfer): IDataObject {
	const { hash, tokenAddress, recipient, amount, since } = wanted;
	return defined({
		hash,
		tokenAddress,
		to: recipient,
		amount: amount && formatDecimal(amount),
		submittedAt: since === undefined ? undefined : new Date(since).toISOString(),
	});
}

/** The result of an unsuccessful search, worded for people who are waiting for money. */
function notFound(
	{ windowCovers, checkedFor, note }: IDataObject,
	differs: readonly string[] | undefined,
): Problem {
	const what = differs
		? `The transaction is listed, but with a different ${differs.join(', ')}`
		: 'Not found yet';
	const isLost =
		windowCovers === true ? '' : ', or newer transfers may have pushed it off the list';
	const next = differs
		? 'Compare it with the values entered'
		: `It may still be pending${isLost}. Check again later`;
	return {
		message: `${what} (${durationInWords(checkedFor)})${note === undefined ? '' : `: ${String(note)}`}`,
		hint: `${next}; do not resend because of this`,
	};
}

/** The same result as an error, which must contain the hash. */
function notSeen(
	{ message, hint }: Problem,
	{ hash }: WantedTransfer,
	code: FailureCode,
): ServiceError {
	const which = hash === undefined ? '' : `Transaction ${shortAddress(hash)}: `;
	const hashes = hash === undefined ? undefined : [hash];
	return new ServiceError({ message: `${which}${message}`, hint, code, hashes });
}

/** The fields that all items have in common; any other would pass for the answer. */
const commonFields = ([first = {}, ...others]: readonly IDataObject[]): IDataObject =>
	Object.fromEntries(
		Object.entries(first).filter(([name, value]) => others.every((one) => one[name] === value)),
	);

const checksOf = perRun(() => new SharedChecks());

/** Plans History: Find Transfer. */
export const planFind: Plan = async (item, run, { url: route, isSimple }) => {
	const { read } = item;
	const options = readFindOptions(item);
	const waitMs = parseWait(read(waitUpTo.name, waitUpTo.default), waitUpTo.name);
	const wanted = readWanted(read, options);
	const { url, values } = await readOnePath(item, route);
	const { userId = '' } = values;
	return {
		url,
		isLongRunning: true,
		send: async (client) => {
			const query = await completeQuery(wanted, client);
			const { key } = await client.account();
			const checks = checksOf(run);
			const ask = async () => {
				const times = { at: monotonicMs(), checkedAt: wallClockMs() };
				const answer = await client.get(url, { fresh: true });
				return { ...times, found: new Listing(transfersIn(answer)) };
			};
			const history = JSON.stringify([key, url]);
			const check = async (time: number) => {
				const { found, ...times } = await checks.at(history, time, ask);
				// Whether the list reaches back to the submission, if its time is known.
				const { since } = query;
				const windowCovers = since === undefined ? since : found.reachesBackTo(since);
				const listed = found.find(query, checks.served);
				const isOpen = listed.transfers.length === 0 && !listed.differs;
				const asked = isOpen && wanted.hash !== undefined && askUnlisted(wanted.hash, client);
				// Without this answer, the search is as good as at any other service.
				const state = asked ? await asked.catch(() => undefined) : undefined;
				// The history lists the copy with a higher fee that replaced it.
				const mined = state?.status === 'SUCCESS' ? { hash: state.minedHash } : undefined;
				const result = mined ? found.find({ ...query, ...mined }, checks.served) : listed;
				const isPending = state?.status === 'PENDING';
				const ended = mined || isPending ? undefined : state;
				const note = isPending ? state.note : undefined;
				const known = { windowCovers, ended, note, minedHash: mined?.hash };
				return { ...times, found: { ...result, ...known } };
			};
			const schedule = { item, run, waitMs, start: checks.start };
			const last = await checkUntil(
				schedule,
				check,
				({ transfers, ended }) => transfers.length > 0 || ended !== undefined,
			);
			const { transfers, differs, windowCovers, ended, note, minedHash } = last.found;
			const described = transfers.length === 1 ? {} : describedTransfer(item);
			const checkedTimes = defined({ windowCovers, note, ...checkedFields(last) });
			noteSending(item, run);
			if (transfers.length === 0) {
				const problem = ended ? endInWords(ended) : notFound(checkedTimes, differs);
				const code = ended ? 'not-carried-out' : 'not-seen';
				if (options.mustBeFound) throw notSeen(problem, wanted, code);
				const { status, revertReason } = ended?.answer ?? {};
				const why = differs && { differs: [...differs] };
				const sought = { ...wantedFields(described), ...wantedFields(wanted) };
				const rest = { ...checkedTimes, ...sought, userId };
				const how = defined({ status, revertReason });
				return [{ summary: inSentences(problem), seen: false, ...how, ...why, ...rest }];
			}
			const preferred = await completeQuery(described, client).catch(() => described);
			const closest = closestTo(preferred, transfers);
			const address = isSimple ? await ownAddress(userId, client) : '';
			const entry = commonFields(
				closest.map((one) => (isSimple ? transferItem(one, userId, address) : one.entry)),
			);
			const matchedBy = wanted.hash === undefined ? 'content' : 'hash';
			const verdict = {
				summary: inOneLine(`Arrived: ${transfersInWords(closest)}`),
				seen: true,
				matchedBy,
			};
			const replaced = minedHash === undefined ? {} : { hash: wanted.hash, minedHash };
			// The first spread sets the order of the fields; the second overrides fields of a raw entry.
			return [{ ...verdict, ...entry, ...verdict, ...replaced, ...checkedTimes }];
		},
	};
};

export const find: Operation = {
	option: {
		name: 'Find Transfer',
		value: 'find',
		action: 'Find transfer in history',
		description:
			'What became of a payment? Works with every wallet service: checks whether the history lists it. By hash, it also asks why not, where the service can tell.',
	},
	route: ROUTES.history,
	input: findInput,
	options: findOptions,
	fields: [
		...[
			'summary',
			'seen',
			'status',
			'note',
			'revertReason',
			'matchedBy',
			'differs',
			...TRANSFER_FIELDS,
		],
		...['minedHash', 'windowCovers', 'checkedFor', 'checkedAt', 'to', 'submittedAt'],
	],
	plan: planFind,
};
