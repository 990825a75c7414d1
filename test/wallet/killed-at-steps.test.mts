/** A service that is killed at a step of a write: what the database has, and what a repeat is told. */
import { openDatabase } from '../../service/src/store/open.mts';
import { unminedWrites } from '../../service/src/store/open-writes.mts';
import type { Step } from '../../service/src/writes/writes.mts';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { DATABASES, useInstallation } from './support/network-and-service.mts';
import { pay, payloadOf } from './support/payment.mts';

const ENTRY = 'test/wallet/support/serving.mts';
const PATIENCE_MS = 60_000;

/** Whether the write is stored when the service is killed at a step. */
const STEPS: [step: Step, isStored: boolean][] = [
	['signed', false],
	['before-commit', false],
	['committed', true],
	['sent', true],
	['accepted', true],
];

describe.each(DATABASES)('on %s', (kind) => {
	const installed = useInstallation(kind);

	test.each(STEPS)(
		'killed at "%s": stored %s, executed once, and a repeat gets the same transaction',
		async (step, isStored) => {
			const { network, service, payers } = installed();
			const [payer] = payers;
			if (!payer) throw new Error('There is no user');
			const payload = payloadOf(STEPS.findIndex(([name]) => name === step) + 1);
			const killed = await service.start(ENTRY, { KILL_AT: step });
			expect(await pay(service.url, payer, step, payload, PATIENCE_MS)).toMatchObject({ code: 0 });
			await killed.ended;

			const db = await openDatabase(service.database);
			const find = async () =>
				await db
					.selectFrom('writes')
					.innerJoin('attempts', 'attempts.write_id', 'writes.id')
					.select(['hash', 'nonce'])
					.where('key', '=', step)
					.execute();
			const stored = await find();
			expect(stored).toHaveLength(isStored ? 1 : 0);

			await using resources = new Resources();
			await resources.use(service.start());
			const told = await pay(service.url, payer, step, payload, PATIENCE_MS);
			expect(told).toMatchObject({ code: 200, status: 'SUCCESS' });
			const after = await find();
			// Otherwise the next service would send this transaction again at its start, and be killed by that.
			await until(async () => (await unminedWrites(db)).length === 0);
			await db.destroy();
			expect(after.map(({ hash }) => hash)).toEqual([told.hash]);
			if (isStored) expect(after).toEqual(stored);
			expect(await network.executions(payload)).toBe(1);
			const count = await network.provider.getTransactionCount(payer.address);
			expect(after[0]?.nonce).toBe(count - 1);
		},
	);
});
