import { transfersOf } from '../chain/transfers.mts';
import { errorResponses } from '../schemas/error.mts';
import { TransactionAnswer, TransactionParams } from '../schemas/transaction.mts';
import type { LinkedService } from '../service.mts';
import type { TransactionState } from '../writes/transactions.mts';
import { callerOf } from './authorization.mts';
import { RequestError } from './errors.mts';
import { toEntries } from './history.mts';
import type { Routes } from './routes.mts';

const MAX_TRANSFERS = 100;

async function transfersIn(
	service: LinkedService,
	{ status, mined }: TransactionState,
): Promise<TransactionAnswer['transfers']> {
	if (status !== 'SUCCESS' || !mined) return [];
	const receipt = await service.chain.receipt(mined.hash);
	const transfers = receipt ? transfersOf(receipt) : [];
	if (!receipt || transfers.length === 0) return [];
	const time = await service.blockTimes.get(receipt.blockHash);
	const listed = transfers.slice(0, MAX_TRANSFERS).map((transfer) => ({ transfer, time }));
	return await toEntries(service, listed);
}

async function describe(
	service: LinkedService,
	hash: string,
	state: TransactionState,
): Promise<TransactionAnswer> {
	const { chain, blockTimes, explorer } = service;
	const { status, final, mined, revertReason, note, write } = state;
	const [transfers, head, minedAt] = await Promise.all([
		transfersIn(service, state),
		mined && chain.head(),
		// The block may have been undone meanwhile.
		mined && blockTimes.get(mined.blockHash).catch(() => undefined),
	]);
	const finalAt = write?.final_at;
	const lastRefusal = status === 'PENDING' && !mined && write?.last_refusal;
	return {
		...{ hash, status, final, transfers },
		confirmations: mined ? Math.max(1, (head ?? 0) - mined.blockNumber + 1) : 0,
		...(mined ? { minedHash: mined.hash, blockNumber: mined.blockNumber } : {}),
		...(revertReason === undefined ? {} : { revertReason }),
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
			const state = await service.transactions.find(callerOf(request), hash);
			if (state) return await describe(service, hash, state);
			const problem = `Neither the service nor its network knows a transaction ${hash}`;
			throw new RequestError(404, 'unknown_transaction', problem, { field: 'hash' });
		},
	);
};
