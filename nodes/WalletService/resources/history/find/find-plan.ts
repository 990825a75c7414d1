import type { IDataObject } from 'n8n-workflow';

import { readActiveCredential } from '../../../request/credential/active-credential';
import { ServiceError } from '../../../request/failure/service-error';
import type { Item } from '../../../request/run/item';
import type { LastLook, Look } from '../../../request/run/look-again';
import { lookUntil, sharedStart } from '../../../request/run/look-again';
import type { Plan } from '../../../request/run/plan';
import type { Run } from '../../../request/run/run';
import { parseChoice } from '../../../values/choice';
import { monotonicMs, wallClockMs } from '../../../values/clock';
import { formatDecimal } from '../../../values/decimal';
import { InvalidInputError } from '../../../values/invalid-input';
import { readExpected, readSimplify } from '../../answer-items';
import type { FilledPath } from '../../path-parameters';
import { fillPaths } from '../../path-parameters';
import { lookedFields, parseWait, REACTIONS, waitUpTo } from '../../wait-up-to';
import { ownAddress } from '../own-address';
import { readTransfers, transferItem } from '../transfer';
import { LatestLooks } from './latest-looks';
import type { Found } from './listing';
import { Listing } from './listing';
import { whenNotSeen } from './parameters';
import type { Asked } from './read-question';
import { completeQuestion, readAsked } from './read-question';

/** What an item recognised in a list of the service, which is not kept. */
interface Seen extends Found {
	/** Whether the list reaches back to the submission; `null` when nobody knows when that was. */
	readonly windowCovers: boolean | null;
}

/** The user whose history is looked at. @throws InvalidInputError when several are given. */
async function readOnePath(item: Item, route: string): Promise<FilledPath> {
	const [path, ...others] = await fillPaths(route, item);
	if (path !== undefined && others.length === 0) return path;
	throw new InvalidInputError({
		parameter: 'userId',
		message: `${others.length + 1} users are given`,
		hint: 'Give one user per item: the one who sent, or the one who is to receive the tokens',
	});
}

/** How the look of an item went, in the fields that every output has. */
function howLooked(last: LastLook<Seen>): IDataObject {
	return { windowCovers: last.found.windowCovers, ...lookedFields(last) };
}

/** What was not seen, in the fields by which another Find Transfer behind this one looks for the same. */
function lookedFor({ hash, tokenAddress, recipient, amount, since }: Asked): IDataObject {
	return {
		hash: hash ?? null,
		...(tokenAddress !== undefined && { tokenAddress }),
		...(recipient !== undefined && { to: recipient.given }),
		...(amount !== undefined && { amount: formatDecimal(amount) }),
		...(since !== undefined && { submittedAt: new Date(since).toISOString() }),
	};
}

/** What the end of a look means for somebody who waits for money. */
function notSeen(looked: IDataObject, asked: Asked, differs?: readonly string[]): ServiceError {
	const which = asked.hash === undefined ? 'No such transfer' : `The transaction ${asked.hash}`;
	const isLost =
		looked.windowCovers === true
			? 'It may still be on its way, or never come'
			: 'It may still be on its way, never come, or have been pushed out of the list by newer ones';
	const what = differs
		? `is listed, but not with this ${differs.join(', ')}`
		: 'is not among the transfers that the service lists';
	return new ServiceError({
		message: `${which} ${what} (looked for ${String(looked.checkedFor)} s)`,
		hint: `${isLost}. Look again later; do not send again because of this`,
		code: 'not-seen',
	});
}

/** The plan of History: Find Transfer. */
export const planFind: Plan = async (item, run, route) => {
	const isSimple = readSimplify(item.read);
	const mustBeSeen =
		parseChoice(item.read(whenNotSeen.name, 'item'), REACTIONS, whenNotSeen.name) === 'fail';
	const waitMs = parseWait(item.read(waitUpTo.name, waitUpTo.default), waitUpTo.name);
	const asked = readAsked(item);
	const { url, values } = await readOnePath(item, route.url);
	const userId = values.userId ?? '';
	return {
		url,
		isPatient: true,
		send: async (client) => {
			const question = await completeQuestion(asked, { item, run, client });
			const { baseUrl, accessToken } = await readActiveCredential(item.context);
			const looks = await looksOf(run);
			const ask = async (): Promise<Look<Listing>> => {
				const times = { at: monotonicMs(), checkedAt: wallClockMs() };
				const answer = await client.get(url, { fresh: true });
				return { ...times, found: new Listing(readExpected(answer, readTransfers)) };
			};
			const history = JSON.stringify([baseUrl, accessToken, url]);
			const look = async (time: number): Promise<Look<Seen>> => {
				const { found, ...times } = await looks.at(history, time, ask);
				const windowCovers = asked.since === undefined ? null : found.reachesBackTo(asked.since);
				return { ...times, found: { ...found.find(question, looks.served), windowCovers } };
			};
			const start = await sharedStart(run);
			const last = await lookUntil({ item, run, waitMs, start }, look, isSeen);
			const { transfer, differs } = last.found;
			const looked = howLooked(last);
			if (transfer === undefined) {
				if (mustBeSeen) throw notSeen(looked, asked, differs);
				const why = differs && { differs: [...differs] };
				return [{ seen: false, matchedBy: null, ...why, ...looked, ...lookedFor(asked), userId }];
			}
			const entry = isSimple
				? transferItem(transfer, userId, await ownAddress(userId, { item, run, client }))
				: transfer.entry;
			const verdict = { seen: true, matchedBy: asked.hash === undefined ? 'content' : 'hash' };
			// Again, because an entry as it came may have fields of these names.
			return [{ ...verdict, ...entry, ...verdict, ...looked }];
		},
	};
};

const isSeen = ({ transfer }: Seen): boolean => transfer !== undefined;

/** What all items of a run share. */
async function looksOf(run: Run): Promise<LatestLooks> {
	return await run.once('looks', async () => await Promise.resolve(new LatestLooks()));
}
