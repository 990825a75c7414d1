import type { IDataObject } from 'n8n-workflow';

import { readActiveCredential } from '../../request/credential/active-credential';
import { ServiceError } from '../../request/failure/service-error';
import { ROUTES } from '../../request/http/routes';
import type { Item } from '../../request/run/item';
import { lookUntil } from '../../request/run/look-again';
import type { Plan } from '../../request/run/plan';
import { parseChoice } from '../../values/choice';
import { monotonicMs, wallClockMs } from '../../values/clock';
import { formatDecimal } from '../../values/decimal';
import { refuse } from '../../values/invalid-input';
import { defined } from '../../values/objects';
import { readExpected } from '../answer-items';
import type { Operation } from '../operation';
import type { FilledPath } from '../plan-get';
import { fillPaths } from '../plan-get';
import { lookedFields, parseWait, REACTIONS, waitUpTo } from '../wait-up-to';
import { Listing, SharedLooks } from './listing';
import { ownAddress, readTransfers, TRANSFER_FIELDS, transferItem } from './transfer';
import type { WantedTransfer } from './wanted-transfer';
import { completeQuery, findInput, readWanted, whenNotSeen } from './wanted-transfer';

/** The user whose history is looked at. @throws InvalidInputError when several are given. */
async function readOnePath(item: Item, route: string): Promise<FilledPath> {
	const [path, ...others] = await fillPaths(route, item);
	if (path !== undefined && others.length === 0) return path;
	const hint = 'Give one user per item: the one who sent, or the one who is to receive the tokens';
	return refuse('userId', undefined, `${others.length + 1} users are given`, hint);
}

/** What was not seen, in the fields by which another Find Transfer behind this one looks for the same. */
function wantedFields(wanted: WantedTransfer): IDataObject {
	const { hash, tokenAddress, recipient, amount, since } = wanted;
	return defined({
		hash: hash ?? null,
		tokenAddress,
		to: recipient?.given,
		amount: amount && formatDecimal(amount),
		submittedAt: since === undefined ? undefined : new Date(since).toISOString(),
	});
}

/** What the end of a look means for somebody who waits for money. */
function notSeen(
	{ windowCovers, checkedFor }: IDataObject,
	{ hash }: WantedTransfer,
	differs: readonly string[] | undefined,
): ServiceError {
	const which = hash === undefined ? 'No such transfer' : `The transaction ${hash}`;
	const isLost =
		windowCovers === true
			? 'It may still be on its way, or never come'
			: 'It may still be on its way, never come, or have been pushed out of the list by newer ones';
	const what = differs
		? `is listed, but not with this ${differs.join(', ')}`
		: 'is not among the transfers that the service lists';
	return new ServiceError({
		message: `${which} ${what} (looked for ${String(checkedFor)} s)`,
		hint: `${isLost}. Look again later; do not send again because of this`,
		code: 'not-seen',
	});
}

/** The plan of History: Find Transfer. */
export const planFind: Plan = async (item, run, { url: route, isSimple }) => {
	const { context, read } = item;
	const reaction = parseChoice(read(whenNotSeen.name, 'item'), REACTIONS, whenNotSeen.name);
	const waitMs = parseWait(read(waitUpTo.name, waitUpTo.default), waitUpTo.name);
	const wanted = readWanted(read);
	const { url, values } = await readOnePath(item, route);
	const { userId = '' } = values;
	return {
		url,
		isPatient: true,
		send: async (client) => {
			const query = await completeQuery(wanted, { item, run, client });
			const { baseUrl, accessToken } = await readActiveCredential(context);
			const looks = await run.once.get(
				'looks',
				async () => await Promise.resolve(new SharedLooks()),
			);
			const ask = async () => {
				const times = { at: monotonicMs(), checkedAt: wallClockMs() };
				const answer = await client.get(url, { fresh: true });
				return { ...times, found: new Listing(readExpected(answer, readTransfers)) };
			};
			const history = JSON.stringify([baseUrl, accessToken, url]);
			const look = async (time: number) => {
				const { found, ...times } = await looks.at(history, time, ask);
				// Whether the list reaches back to the submission; `null` when nobody knows when that was.
				const windowCovers = query.since === undefined ? null : found.reachesBackTo(query.since);
				return { ...times, found: { ...found.find(query, looks.served), windowCovers } };
			};
			const looking = { item, run, waitMs, start: looks.start };
			const last = await lookUntil(looking, look, (seen) => seen.transfer !== undefined);
			const { transfer, differs, windowCovers } = last.found;
			const looked = { windowCovers, ...lookedFields(last) };
			if (transfer === undefined) {
				if (reaction === 'fail') throw notSeen(looked, wanted, differs);
				const why = differs && { differs: [...differs] };
				const rest = { ...looked, ...wantedFields(wanted), userId };
				return [{ seen: false, matchedBy: null, ...why, ...rest }];
			}
			const entry = isSimple
				? transferItem(transfer, userId, await ownAddress(userId, { item, run, client }))
				: transfer.entry;
			const verdict = { seen: true, matchedBy: wanted.hash === undefined ? 'content' : 'hash' };
			// Again, because an entry as it came may have fields of these names.
			return [{ ...verdict, ...entry, ...verdict, ...looked }];
		},
	};
};

export const find: Operation = {
	option: {
		name: 'Find Transfer',
		value: 'find',
		action: 'Find transfer in history',
		description:
			"Look for one transfer in a user's history, by its transaction hash or its content, and wait for it if wanted: has it arrived?",
	},
	route: ROUTES.history,
	input: findInput,
	fields: [
		...['seen', 'matchedBy', 'differs', ...TRANSFER_FIELDS],
		...['windowCovers', 'checkedFor', 'checkedAt', 'to', 'submittedAt'],
	],
	plan: planFind,
};
