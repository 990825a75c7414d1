import type { IDataObject } from 'n8n-workflow';

import { readActiveCredential } from '../../../request/credential/active-credential';
import { ServiceError } from '../../../request/failure/service-error';
import type { Item } from '../../../request/run/item';
import type { LastLook, Look } from '../../../request/run/look-again';
import { lookUntil, sharedStart } from '../../../request/run/look-again';
import type { Plan } from '../../../request/run/plan';
import type { Run } from '../../../request/run/run';
import { parseChoice } from '../../../values/choice';
import { formatDecimal } from '../../../values/decimal';
import { InvalidInputError } from '../../../values/invalid-input';
import { readExpected, readSimplify } from '../../answer-items';
import type { FilledPath } from '../../path-parameters';
import { fillPaths } from '../../path-parameters';
import { lookedFields, parseWait, REACTIONS, waitUpTo } from '../../wait-up-to';
import { ownAddress } from '../own-address';
import type { Transfer } from '../transfer';
import { readTransfers, transferItem } from '../transfer';
import { whenNotSeen } from './parameters';
import type { Asked } from './read-question';
import { completeQuestion, readAsked } from './read-question';
import type { Sighting } from './sightings';
import { reachesBackTo, Sightings } from './sightings';

/** A list of the service, and what an item recognised in it. */
interface Seen {
	readonly transfers: readonly Transfer[];
	readonly sighting: Sighting | undefined;
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
function howLooked(last: LastLook<Seen>, { since }: Asked): IDataObject {
	const { transfers } = last.found;
	return {
		windowCovers: since === undefined ? null : reachesBackTo(since, transfers),
		...lookedFields(last),
	};
}

/** What was not seen, in the fields by which another Find Transfer behind this one looks for the same. */
function lookedFor({ hash, content, since }: Asked): IDataObject {
	return {
		hash: hash ?? null,
		...(content !== undefined && {
			tokenAddress: content.tokenAddress,
			to: content.recipient.given,
			amount: formatDecimal(content.amount),
		}),
		...(since !== undefined && { submittedAt: new Date(since).toISOString() }),
	};
}

/** What the end of a look means for somebody who waits for money. */
function notSeen(looked: IDataObject, asked: Asked): ServiceError {
	const which = asked.hash === undefined ? 'No such transfer' : `The transaction ${asked.hash}`;
	const isLost =
		looked.windowCovers === true
			? 'It may still be on its way, or never come'
			: 'It may still be on its way, never come, or have been pushed out of the list by newer ones';
	return new ServiceError({
		message: `${which} is not among the transfers that the service lists (looked for ${String(looked.checkedFor)} s)`,
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
	const sightings = await sightingsOf(run);
	sightings.expect(asked.hash);
	return {
		url,
		isPatient: true,
		send: async (client) => {
			const question = await completeQuestion(asked, { item, run, client });
			const { baseUrl, accessToken } = await readActiveCredential(item.context);
			const look = async (time: number): Promise<Look<Seen>> => {
				const key = JSON.stringify(['look', baseUrl, accessToken, url, time]);
				const { at, transfers } = await run.once(key, async () => ({
					at: Date.now(),
					transfers: readExpected(await client.get(url), readTransfers),
				}));
				return { at, found: { transfers, sighting: sightings.find(transfers, question) } };
			};
			const start = await sharedStart(run);
			const last = await lookUntil({ item, run, waitMs, start }, look, isSeen);
			const { sighting } = last.found;
			const looked = howLooked(last, asked);
			if (sighting === undefined) {
				if (mustBeSeen) throw notSeen(looked, asked);
				return [{ seen: false, matchedBy: null, ...looked, ...lookedFor(asked), userId }];
			}
			const { transfer, matchedBy } = sighting;
			const entry = isSimple
				? transferItem(transfer, userId, await ownAddress(userId, { item, run, client }))
				: transfer.entry;
			return [{ seen: true, matchedBy, ...entry, ...looked }];
		},
	};
};

const isSeen = ({ sighting }: Seen): boolean => sighting !== undefined;

/** What all items of a run have recognised together. */
async function sightingsOf(run: Run): Promise<Sightings> {
	return await run.once('sightings', async () => await Promise.resolve(new Sightings()));
}
