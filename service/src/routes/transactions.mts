import { ChainUnavailable } from '../rpc/failures.mts';
import { errorResponses } from '../schemas/error.mts';
import { TransactionAnswer, TransactionParams } from '../schemas/transaction.mts';
import type { LinkedService } from '../service.mts';
import type { TransactionState } from '../writes/transactions.mts';
import { callerOf } from './authorization.mts';
import { RequestError } from './errors.mts';
import { describeTransfers } from './history.mts';
import { intendedTransfers } from './intended.mts';
import type { Routes } from './routes.mts';

const MAX_TRANSFERS = 100;

const UNKNOWN = 'No endpoint has its receipt, so that its transfers are not listed';

const UNCERTAIN = 'Too few endpoints have its receipt and block for its transfers to be certain';

const UNLISTED = `${UNCERTAIN}, so that they are not listed`;

const OF_TOKENS =
	'Too few endpoints report the tokens of its transfers for their amounts to be certain, so that they are not listed';

/**
 * The transfers of a transaction, and what is not certain about them. None are listed if no endpoint has its receipt, such as
 * that of an old one, or if it is final on the word of others than those that have it.
 */
async function transfersIn(
	service: LinkedService,
	{ status, final, mined }: TransactionState,
): Promise<Pick<TransactionAnswer, 'transfers' | 'note'>> {
	if (status !== 'SUCCESS' || !mined) return { transfers: [] };
	const effects = await service.chain.effects(mined.hash);
	if (!effects) return { transfers: [], note: UNKNOWN };
	if (effects.status === 0) {
		throw new ChainUnavailable(`The endpoints report that ${mined.hash} reverted`);
	}
	if (!effects.isCertain && final) return { transfers: [], note: UNLISTED };
	const doubt = effects.isCertain ? {} : { note: UNCERTAIN };
	if (effects.transfers.length === 0) return { transfers: [], ...doubt };
	// The block that is stored may have been undone meanwhile.
	const { blockHash } = effects.block ?? mined;
	const { time, isCertain } = await service.blockTimes.get(blockHash);
	if (!isCertain && final) return { transfers: [], note: UNLISTED };
	const listed = effects.transfers.slice(0, MAX_TRANSFERS).map((transfer) => ({ transfer, time }));
	const { entries, areCertain } = await describeTransfers(service, listed);
	if (!areCertain && final) return { transfers: [], note: OF_TOKENS };
	return { transfers: entries, ...(isCertain && areCertain ? doubt : { note: UNCERTAIN }) };
}

/** The transfers that the caller's reverted write asked for; undefined if it is not known. */
async function intendedIn(
	service: LinkedService,
	{ status, mined, write }: TransactionState,
	from: string,
): Promise<TransactionAnswer['intended']> {
	if (status !== 'REVERTED' || !mined || !write) return undefined;
	try {
		const time = new Date(write.created_at);
		const transfers = intendedTransfers(write, { from, hash: mined.hash }).slice(0, MAX_TRANSFERS);
		const listed = transfers.map((transfer) => ({ transfer, time }));
		const { entries, areCertain } = await describeTransfers(service, listed);
		return listed.length > 0 && areCertain ? entries : undefined;
	} catch {
		return undefined;
	}
}

async function describe(
	service: LinkedService,
	hash: string,
	state: TransactionState,
	from: string,
): Promise<TransactionAnswer> {
	const { chain, blockTimes, explorer } = service;
	const { status, final, mined, revertReason, write } = state;
	const [moved, intended, head, mining] = await Promise.all([
		transfersIn(service, state),
		intendedIn(service, state, from),
		mined && chain.head(),
		// The block may have been undone meanwhile, and endpoints may disagree about its time.
		mined && blockTimes.get(mined.blockHash).catch(() => undefined),
	]);
	const note = moved.note ?? state.note;
	const finalAt = write?.final_at;
	const lastRefusal = status === 'PENDING' && !mined && write?.last_refusal;
	return {
		hash,
		status,
		final,
		transfers: moved.transfers,
		confirmations: mined ? Math.max(1, (head ?? 0) - mined.blockNumber + 1) : 0,
		...(mined ? { minedHash: mined.hash, blockNumber: mined.blockNumber } : {}),
		...(revertReason === undefined ? {} : { revertReason }),
		...(intended ? { intended } : {}),
		...(note === undefined ? {} : { note }),
		...(lastRefusal ? { lastRefusal } : {}),
		...(write ? { submittedAt: write.created_at } : {}),
		...(mining?.isCertain ? { minedAt: mining.time.toISOString() } : {}),
		...(finalAt ? { finalAt } : {}),
		explorerUrl: explorer.transaction(mined?.hash ?? hash),
	};
}

/** The route that reports what became of a transaction. */
export const transactionRoutes: Routes = async (app, { service }) => {
	app.get(
		'/transactions/:hash',
		{
			schema: {
				tags: ['transactions'],
				summary: 'What became of a transaction',
				operationId: 'getTransaction',
				params: TransactionParams,
				response: { 200: TransactionAnswer, ...errorResponses },
			},
		},
		async (request) => {
			const hash = request.params.hash.toLowerCase();
			const caller = callerOf(request);
			const state = await service.transactions.find(caller, hash);
			if (state) return await describe(service, hash, state, caller.user.address);
			const problem = `Neither the service nor its network knows a transaction ${hash}`;
			throw new RequestError(404, 'unknown_transaction', problem, { field: 'hash' });
		},
	);
};
