/** A commit whose answer was lost, and whose repetition ends when the answer to the caller is due. */
import { ZeroAddress } from 'ethers';
import { newPhrase, SeedSigner } from '../../service/src/keys/seed.mts';
import { Spending } from '../../service/src/limits/spending.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import type { Database } from '../../service/src/store/tables.mts';
import { addUser, userById } from '../../service/src/store/users.mts';
import { Delivery } from '../../service/src/writes/delivery.mts';
import { Preparation } from '../../service/src/writes/prepare.mts';
import { Refusals } from '../../service/src/writes/refusals.mts';
import { Writes } from '../../service/src/writes/writes.mts';
import { PREPARED } from './support/held-writes.mts';

const ANSWER_MS = 1_000;

test('a write that is stored is not refused when the answer is due', async () => {
	const signer = new SeedSigner(newPhrase());
	const stored = await openDatabase(':memory:');
	const anna = { id: 'LOCAL-anna', provider: 'LOCAL', username: 'anna', email: null };
	await addUser(stored, anna, (index) => signer.addressOf(`seed:${index}`));
	const user = await userById(stored, anna.id);
	if (!user) throw new Error('There is no user');
	let commits = 0;
	const db = new Proxy(stored, {
		get(target, name): unknown {
			const value: unknown = Reflect.get(target, name, target);
			if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value;
			return () => ({
				async execute(work: Parameters<ReturnType<Database['transaction']>['execute']>[0]) {
					const result = await target.transaction().execute(work);
					commits += 1;
					if (commits === 1) throw new Error('Connection terminated unexpectedly');
					// The machine is busy until the answer is due.
					for (const until = begun + ANSWER_MS; performance.now() <= until; ) continue;
					return result;
				},
			});
		},
	});
	const preparation = Object.assign(Object.create(Preparation.prototype), {
		prepare: async () => PREPARED,
	});
	const delivery = new Delivery({
		db,
		ttlMs: 0,
		broadcast: async () => true,
		refusals: new Refusals(),
		log: () => undefined,
		observe: () => undefined,
	});
	const writes = new Writes({
		db,
		chainId: 1,
		signer,
		preparation,
		delivery,
		spending: new Spending(),
		options: { maxOpen: 16, answerMs: ANSWER_MS },
		observe: () => undefined,
	});
	const caller = { user, scopes: ['write'] };
	const call = { to: ZeroAddress, data: '0x', value: 0n };
	const begun = performance.now();
	const told = await writes.submit({ caller, key: 'order', call, called: '' });
	const { hash } = await stored.selectFrom('attempts').select('hash').executeTakeFirstOrThrow();
	// Sent already, if the machine was busy before.
	const state = expect.stringMatching(/^(?:signed|accepted)$/);
	expect(told).toMatchObject({ attempt: { hash }, write: { state } });
	await stored.destroy();
});
