import type { RevertReader } from '../abi/revert.mts';
import { rowsInReceipt } from '../history/rows.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { Effects } from '../store/open-writes.mts';
import type { Database } from '../store/tables.mts';
import type { ProvenInclusion } from './inclusion.mts';
import { readReason } from './revert-reason.mts';

export interface EffectPorts {
	db: Database;
	endpoints: Endpoints;
	readRevert: RevertReader;
	log(problem: string, error: unknown): void;
}

/** What a receipt says: the history lists the transfers at once. What cannot be read here is read with the block. */
export async function effectsOf(
	{ db, endpoints, readRevert, log }: EffectPorts,
	{ hash, status, receipt, time }: ProvenInclusion,
): Promise<Effects> {
	const isReadable = status === 1 && receipt !== undefined && time !== undefined;
	const rows = isReadable ? rowsInReceipt(db, receipt, time) : [];
	const transfers = await Promise.resolve(rows).catch((error: unknown) => {
		log('The transfers in a receipt were not read', error);
		return [];
	});
	if (status !== 0) return { revertReason: null, transfers };
	// Read at once, because endpoints soon forget the state of a block. What too few say is not kept.
	const reason = await readReason(endpoints, readRevert, hash).catch((error: unknown) => {
		log('The reason of a revert was not read', error);
		return undefined;
	});
	return { revertReason: reason?.by === 'enough' ? reason.text : null, transfers };
}
