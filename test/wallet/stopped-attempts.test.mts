/** Two services on one database: one stands still in the middle of a write or of an attempt, while the other does the opposite. */
import { readFile } from 'node:fs/promises';
import { freePort } from '../../tools/network/ports.mts';
import type { RunningService } from '../../tools/wallet/installed-service.mts';
import { useResources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { keysOf, Labelled } from './support/labelled.mts';
import { DATABASES, useInstallation } from './support/network-and-service.mts';
import { payloadOf } from './support/payment.mts';

const ENTRY = 'test/wallet/support/serving.mts';
const SUPERSEDED = { status: 412, data: { code: 'write_superseded' } };

/** Waits until a process has stopped itself. */
const untilStopped = async ({ pid }: RunningService) =>
	await until(async () => /^\d+ \(.*\) T /.test(await readFile(`/proc/${pid}/stat`, 'utf8')));

describe.each(DATABASES)('on %s', (kind) => {
	const installed = useInstallation(kind);
	const resources = useResources();

	/** A service that stops at a step, another one, and the same caller at both. */
	async function startTwo(step: string) {
		const { service, payers } = installed();
		const { token = '' } = payers[0] ?? {};
		const [first, second] = [String(await freePort()), String(await freePort())];
		const stopping = await resources.use(service.start(ENTRY, { PORT: first, STOP_AT: step }));
		await resources.use(service.start(undefined, { PORT: second }));
		return {
			stopping: new Labelled(`http://127.0.0.1:${first}`, token),
			other: new Labelled(`http://127.0.0.1:${second}`, token),
			untilStopped: async () => await untilStopped(stopping),
			resume: () => process.kill(stopping.pid, 'SIGCONT'),
		};
	}

	test('a write that is held before its commit is refused after an attempt has begun', async () => {
		const { stopping, other, untilStopped: stopped, resume } = await startTwo('signed');
		const held = stopping.put('held', 1, 'held');
		await stopped();
		expect((await other.begin('held')).data).toEqual({ attempt: 1, writes: [] });
		const paid = await other.put('moved', 2, 'held', { 'Write-Attempt': '1' });
		resume();
		expect(await held).toMatchObject(SUPERSEDED);
		await other.untilDone(paid.data.hash);
		expect(await installed().network.executions(payloadOf(1))).toBe(0);
	});

	test.each(['before-commit', 'committed'])(
		'a write that is held at "%s" is listed',
		async (step) => {
			const { stopping, other, untilStopped: stopped, resume } = await startTwo(step);
			const held = stopping.put(step, step.length, step);
			await stopped();
			const begun = other.begin(step);
			// The attempt waits for the commit.
			resume();
			const { hash } = (await held).data;
			const { data } = await begun;
			expect(data).toMatchObject({ attempt: 1, writes: [{ key: step, hash }] });
			await other.untilDone(hash);
			expect(await installed().network.executions(payloadOf(step.length))).toBe(1);
		},
	);

	test('a write waits for an attempt that is held before its commit, and is refused', async () => {
		const { stopping, other, untilStopped: stopped, resume } = await startTwo('before-attempt');
		const begun = stopping.begin('begun');
		await stopped();
		const late = other.put('late', 3, 'begun');
		resume();
		expect((await begun).data).toEqual({ attempt: 1, writes: [] });
		expect(await late).toMatchObject(SUPERSEDED);
		expect(keysOf(await other.begin('begun'))).toEqual([]);
		expect(await installed().network.executions(payloadOf(3))).toBe(0);
	});
});
