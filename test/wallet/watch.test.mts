/** When a chain without new blocks is a problem, and how many balances are read. */
import type { HistoryState } from '../../service/src/history/history.mts';
import { networkFor } from '../../service/src/identity.mts';
import type { Params } from '../../service/src/rpc/client.mts';
import { Balances } from '../../service/src/operation/balances.mts';
import { Watch } from '../../service/src/operation/watch.mts';
import { openDatabase } from '../../service/src/store/open.mts';

const HOUR = 3_600;
const PRIVATE = 31_337;
const SEPOLIA = 11_155_111;

/**
 * Codes of the problems one hour after the newest block.
 *
 * @param waiting age of a write in no block, in seconds
 * @param history how its reading goes
 */
async function problemsOn(
	chainId: number,
	waiting?: number,
	history?: HistoryState,
): Promise<string[]> {
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
				id: '1',
				user_id: user.id,
				wallet_id: 0,
				token_id: null,
				key: 'order',
				nonce: 0,
				fingerprint: 'x',
				to_address: '',
				data: '0x',
				value: '0',
				cost: '0',
				mined_hash: null,
				block_number: null,
				block_hash: null,
				status: null,
				state: 'accepted',
				revert_reason: null,
				final_at: null,
				created_at: created,
			})
			.execute();
	}
	const own = { foreign: undefined, isLacking: false };
	const state = { name: 'rpc', head: 7n, headAge: HOUR, isAnswering: true, failures: 0, ...own };
	const endpoints = {
		identity: { chainId, genesis: '0x' },
		head: 7n,
		states: [state],
		agreed: async () => 1n,
	};
	const network = networkFor(chainId, { network: 'ours' });
	const ports = { db, endpoints, network, lowGas: 0n };
	const watch = new Watch({ ...ports, ...(history ? { history: { state: history } } : {}) });
	const { problems } = await watch.read();
	await db.destroy();
	return problems.map(({ code }) => code);
}

test('a network without new blocks is reported; one that the table lacks only while a write waits for them', async () => {
	expect(await problemsOn(SEPOLIA)).toEqual(['head_old']);
	expect(await problemsOn(PRIVATE)).toEqual([]);
	expect(await problemsOn(PRIVATE, 5)).toEqual([]);
	expect(await problemsOn(PRIVATE, HOUR)).toEqual(['head_old', 'write_stuck']);
});

test('a history is reported that was not read for a minute, and a block that too few endpoints confirm', async () => {
	const state = (unreadMs: number, unconfirmed?: number) => ({ unreadMs, unconfirmed });
	expect(await problemsOn(PRIVATE, undefined, state(59_000))).toEqual([]);
	expect(await problemsOn(PRIVATE, undefined, state(60_000))).toEqual(['history_old']);
	expect(await problemsOn(PRIVATE, undefined, state(0, 7))).toEqual(['history_unconfirmed']);
});

test('all unknown balances are read, later a hundred old ones at a time, and at most twenty at once', async () => {
	const asked: string[] = [];
	let [open, most] = [0, 0];
	const agreed = async (_read: unknown, _method: string, params: Params) => {
		const [address] = Object.values(params);
		asked.push(String(address));
		open += 1;
		most = Math.max(most, open);
		await Promise.resolve();
		open -= 1;
		if (address === '0x7') throw new Error('not now');
		return 5n;
	};
	const addresses = Array.from({ length: 250 }, (_unused, place) => `0x${place}`);
	const balances = new Balances({ agreed }, 0);
	const refreshed = async () => {
		asked.length = 0;
		await balances.refresh(addresses);
		return [...asked];
	};
	expect(await refreshed()).toEqual(addresses);
	expect(most).toBe(20);
	expect([balances.of('0x6'), balances.of('0x7')]).toEqual([5n, undefined]);
	const [again, next] = [await refreshed(), await refreshed()];
	expect([again.length, next.length]).toEqual([100, 100]);
	expect(again[0]).toBe('0x7');
	expect(new Set([...again, ...next]).size).toBe(199);
});
