/** Two services on one PostgreSQL database, which share wallets. */
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../tools/network/ports.mts';
import { Resources } from '../support/resources.mts';
import { useInstallation } from './support/network-and-service.mts';
import { pay, payloadOf } from './support/payment.mts';

const WRITES = 200;
const PATIENCE_MS = 60_000;

describe('two processes', () => {
	const installed = useInstallation('postgres', 1);

	test('200 simultaneous writes of one wallet have 200 nonces without a gap, and are executed once', async () => {
		const { network, service, payers } = installed();
		const [payer] = payers;
		if (!payer) throw new Error('There is no user');
		const port = String(await freePort());
		await using resources = new Resources();
		await resources.use(service.start());
		await resources.use(service.start(undefined, { PORT: port }));
		const urls = [service.url, `http://127.0.0.1:${port}`];
		const numbers = Array.from({ length: WRITES }, (_unused, number) => number + 1);
		const payUntilDone = async (number: number) => {
			for (let attempt = 0; ; attempt++) {
				// Each repeat goes to the other process.
				const url = urls[(number + attempt) % 2] ?? '';
				const told = await pay(url, payer, `${number}`, payloadOf(number), PATIENCE_MS);
				if (told.status === 'SUCCESS') return told.hash;
				// Not sent, or unknown: a repeat under the same key is safe.
				expect([0, 202, 409, 424, 429, 500, 503]).toContain(told.code);
				await setTimeout(200);
			}
		};
		const hashes = await Promise.all(numbers.map(payUntilDone));
		expect(new Set(hashes).size).toBe(WRITES);
		const isMined = async () =>
			(await network.provider.getTransactionCount(payer.address)) === WRITES;
		while (!(await isMined())) await setTimeout(200);
		const executions = await Promise.all(
			numbers.map((number) => network.executions(payloadOf(number))),
		);
		expect(new Set(executions)).toEqual(new Set([1]));
	});
});
