/** When a chain without new blocks is a problem. */
import { networkFor } from '../../service/src/identity.mts';
import { Watch } from '../../service/src/operation/watch.mts';
import { openDatabase } from '../../service/src/store/open.mts';

const HOUR = 3_600;
const PRIVATE = 31_337;
const SEPOLIA = 11_155_111;

/** Codes of the problems one hour after the newest block. @param waiting age of a write in no block, in seconds */
async function problemsOn(chainId: number, waiting?: number): Promise<string[]> {
	const db = await openDatabase(':memory:');
	if (waiting !== undefined) {
		const created = new Date(Date.now() - waiting * 1_000).toISOString();
		const user = { id: 'LOCAL-anna', provider: 'LOCAL', username: 'anna', email: null };
		const at = { created_at: created, disabled_at: null };
		const wallet = { id: 0, address: '0x0', source: 'seed:0', next_nonce: 1, is_compared: 1 };
		await db
			.insertInto('wallets')
			.values({ ...wallet, state: 'open', closed_reason: null })
			.execute();
		await db
			.insertInto('users')
			.values({ ...user, ...at, wallet_id: 0 })
			.execute();
		await db
			.insertInto('writes')
			.values({
				...{ id: '1', user_id: user.id, wallet_id: 0, token_id: null, key: 'order', nonce: 0 },
				...{ fingerprint: 'x', to_address: '', data: '0x', value: '0', cost: '0' },
				...{ mined_hash: null, block_number: null, block_hash: null, status: null },
				...{ state: 'accepted', revert_reason: null, final_at: null, created_at: created },
			})
			.execute();
	}
	const state = { name: 'rpc', head: 7n, headAge: HOUR, isAnswering: true, failures: 0 };
	const endpoints = {
		...{ identity: { chainId, genesis: '0x' }, head: 7n, states: [state] },
		call: async () => '0x1',
	};
	const network = networkFor(chainId, { network: 'ours' });
	const { problems } = await new Watch({ db, endpoints, network, lowGas: 0n }).read();
	await db.destroy();
	return problems.map(({ code }) => code);
}

test('a network without new blocks is reported; one that the table lacks only while a write waits for them', async () => {
	expect(await problemsOn(SEPOLIA)).toEqual(['head_old']);
	expect(await problemsOn(PRIVATE)).toEqual([]);
	expect(await problemsOn(PRIVATE, 5)).toEqual([]);
	expect(await problemsOn(PRIVATE, HOUR)).toEqual(['head_old', 'write_stuck']);
});
