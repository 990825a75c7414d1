import { ChainUnavailable } from '../rpc/failures.mts';
import { errorResponses } from '../schemas/error.mts';
import { TransactionAnswer, TransactionParams } from '../schemas/transaction.mts';
import type { LinkedService } from '../service.mts';
import type { TransactionState } from '../writes/transactions.mts';
import { callerOf } from './authorization.mts';
import { RequestError } from './errors.mts';
import { toEntries } from './history.mts';
import { intendedTransfers } from './intended.mts';
import type { Routes } from './routes.mts';

const MAX_TRANSFERS = 100;

const UNKNOWN = 'No endpoint has its receipt, so that its transfers are not listed';

/** The transfers of a transaction; undefined if no endpoint has its receipt, such as an old one, or of a block that was undone. */
async function transfersIn(
	service: LinkedService,
	{ status, mined }: TransactionState,
): Promise<TransactionAnswer['transfers'] | undefined> {
	if (status !== 'SUCCESS' || !mined) return [];
	const effects = await service.chain.effects(mined.hash);
	if (!effects) return undefined;
	if (effects.status === 0) {
		throw new ChainUnavailable(`The endpoints report that ${mined.hash} reverted`);
	}
	if (effects.transfers.length === 0) return [];
	const time = await service.blockTimes.get(effects.blockHash);
	const listed = effects.transfers.slice(0, MAX_TRANSFERS).map((transfer) => ({ transfer, time }));
	return await toEntries(service, listed);
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
		return listed.length === 0 ? undefined : await toEntries(service, listed);
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
	const [transfers, intended, head, minedAt] = await Promise.all([
		transfersIn(service, state),
		intendedIn(service, state, from),
		mined && chain.head(),
		// The block may have been undone meanwhile, and endpoints may disagree about its time.
		mined && blockTimes.get(mined.blockHash).catch(() => undefined),
	]);
	const note = transfers ? state.note : UNKNOWN;
	const finalAt = write?.final_at;
	const lastRefusal = status === 'PENDING' && !mined && write?.last_refusal;
	return {
		hash,
		status,
		final,
		transfers: transfers ?? [],
		confirmations: mined ? Math.max(1, (head ?? 0) - mined.blockNumber + 1) : 0,
		...(mined ? { minedHash: mined.hash, blockNumber: mined.blockNumber } : {}),
		...(revertReason === undefined ? {} : { revertReason }),
		...(intended ? { intended } : {}),
		...(note === undefined ? {} : { note }),
		...(lastRefusal ? { lastRefusal } : {}),
		...(write ? { submittedAt: write.created_at } : {}),
		...(minedAt ? { minedAt: minedAt.toISOString() } : {}),
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
