import type { Database } from '../../../service/src/store/tables.mts';
import { allWallets } from '../../../service/src/store/users.mts';
import type { DevelopmentChain } from '../chain/development-chain.mts';

/**
 * Forgets the writes that a test's reorganisation undid for good, and uses their nonces again. A real service must never do
 * that: it sends their transactions until they are in a block.
 */
export async function forgetUndone(db: Database, { provider }: DevelopmentChain): Promise<void> {
	for (const { id, address } of await allWallets(db)) {
		const count = await provider.getTransactionCount(address, 'pending');
		await db.transaction().execute(async (transaction) => {
			const undone = transaction
				.selectFrom('writes')
				.select('id')
				.where('wallet_id', '=', id)
				.where('nonce', '>=', count);
			await transaction.deleteFrom('attempts').where('write_id', 'in', undone).execute();
			await transaction
				.deleteFrom('writes')
				.where('wallet_id', '=', id)
				.where('nonce', '>=', count)
				.execute();
			await transaction
				.updateTable('wallets')
				.set({ next_nonce: count })
				.where('id', '=', id)
				.where('next_nonce', '>', count)
				.execute();
		});
	}
}
