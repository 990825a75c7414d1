/** A service that is killed at a step of a labelled write, or of an attempt: what a Retry is told, and what it may send. */
import type { AttemptStep } from '../../service/src/writes/executions.mts';
import type { Step } from '../../service/src/writes/writes.mts';
import { Resources } from '../support/resources.mts';
import { keysOf, Labelled } from './support/labelled.mts';
import { DATABASES, useInstallation } from './support/network-and-service.mts';
import { payloadOf } from './support/payment.mts';

const ENTRY = 'test/wallet/support/serving.mts';
const SUPERSEDED = { status: 412, data: { code: 'write_superseded' } };

/** Whether the write is stored when the service is killed at a step. */
const STEPS: [step: Step, isStored: boolean][] = [
	['signed', false],
	['before-commit', false],
	['committed', true],
	['sent', true],
	['accepted', true],
];

/** The number of the next attempt after the service was killed at a step of the first one. */
const ATTEMPT_STEPS: [step: AttemptStep, next: number][] = [
	['before-attempt', 1],
	['attempt-begun', 2],
];

describe.each(DATABASES)('on %s', (kind) => {
	const installed = useInstallation(kind);

	const caller = () => new Labelled(installed().service.url, installed().payers[0]?.token ?? '');

	test.each(STEPS)(
		'killed at "%s": a Retry is told the write: %s, and it is paid once',
		async (step, isStored) => {
			const { network, service } = installed();
			const anna = caller();
			const number = STEPS.findIndex(([name]) => name === step) + 1;
			const killed = await service.start(ENTRY, { KILL_AT: step });
			await expect(anna.put(step, number, step)).rejects.toThrow();
			await killed.ended;

			await using resources = new Resources();
			await resources.use(service.start());
			const { data } = await anna.begin(step);
			expect(data.attempt).toBe(1);
			expect(keysOf({ data })).toEqual(isStored ? [step] : []);
			// What the first execution still has on its way.
			const late = await anna.put(step, number, step);
			expect(late).toMatchObject(
				isStored ? { status: 200, data: { status: 'SUCCESS' } } : SUPERSEDED,
			);
			const paid = await anna.put(step, number, step, { 'Write-Attempt': '1' });
			expect(paid.headers['idempotency-replayed']).toBe(isStored ? 'true' : undefined);
			if (isStored) expect(data.writes[0].hash).toBe(paid.data.hash);
			await anna.untilDone(paid.data.hash);
			expect(await network.executions(payloadOf(number))).toBe(1);
			expect(keysOf(await anna.begin(step))).toEqual([step]);
		},
	);

	test.each(ATTEMPT_STEPS)(
		'killed at "%s" of an attempt: the next one is %s and has the whole list',
		async (step, next) => {
			const { network, service } = installed();
			const anna = caller();
			const number = 10 + next;
			const killed = await service.start(ENTRY, { KILL_AT: step });
			const { data } = await anna.put(`${step} before`, number, step);
			await expect(anna.begin(step)).rejects.toThrow();
			await killed.ended;

			await using resources = new Resources();
			await resources.use(service.start());
			const late = await anna.put(`${step} late`, number + 10, step);
			if (next === 2) expect(late).toMatchObject(SUPERSEDED);
			else expect(late.status).toBe(200);
			const retry = await anna.begin(step);
			expect(retry.data.attempt).toBe(next);
			const keys = [`${step} before`, ...(next === 2 ? [] : [`${step} late`])];
			expect(keysOf(retry)).toEqual(keys);
			await anna.untilDone(data.hash);
			expect(await network.executions(payloadOf(number))).toBe(1);
			expect(await network.executions(payloadOf(number + 10))).toBe(2 - next);
		},
	);
});
