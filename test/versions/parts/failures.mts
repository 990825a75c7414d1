/** Failed requests, whose causes each version of n8n reports in its own form, and the laws of writes that n8n repeats. */
import type { WorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { service, type RunningN8n } from '../support/prepared-n8n.mts';

const HASH = `0x${'ef'.repeat(32)}`;
const GARBLED = { 'content-encoding': 'gzip' };

/** The tests of failures in a running n8n of a version. */
export function testFailures(n8n: RunningN8n): void {
	let failures: WorkflowRun;

	beforeAll(async () => {
		failures = await n8n.run('failures');
	});

	test.each([
		['noServer', 'unreachable'],
		['noHost', 'unreachable'],
		['badCertificate', 'bad-certificate'],
		['noToken', 'invalid-input'],
		['lost', 'sign-in-ended'],
	])('that shows that nothing was done is recognized: %s', (node, code) => {
		expect(failures.items(node)).toMatchObject([{ details: { outcome: 'refused', code } }]);
	});

	test.each([
		['is garbled', { status: 200, headers: GARBLED, body: 'not compressed' }],
		['is a garbled refusal', { status: 401, headers: GARBLED, body: 'not compressed' }],
		['does not confirm it', { status: 200, body: `{"status":"PENDING","hash":"${HASH}"}` }],
		['is an internal error', { status: 500, body: HASH }],
	])(
		'leaves a write unknown and unrepeated, and holds no other: the answer %s',
		async (_what, params) => {
			await service.faults.reset();
			await service.faults.hit('status-text', WRITE, { params });
			const { error } = await n8n.run('retried');
			expect(error).toMatch(/^Not sent again: an earlier attempt/);
			if (params.body.includes(HASH)) expect(error).toContain(HASH);
			expect(await service.faults.requestsFor(WRITE)).toBe(1);
			const next = await n8n.run('retried');
			expect(next.items('retried')).toMatchObject([{ submitted: true }]);
		},
	);

	test('leaves a write unknown and unrepeated: the answer is lost', async () => {
		await service.faults.reset();
		await service.faults.hit('drop-after', WRITE);
		expect((await n8n.run('retried')).error).toMatch(/^Not sent again: an earlier attempt/);
		expect(await service.faults.requestsFor(WRITE)).toBe(1);
	});

	test('that refuses a write lets n8n repeat it', async () => {
		await service.faults.reset();
		await service.faults.hit('failed', WRITE);
		const { error, items } = await n8n.run('retried');
		expect(error).toBeUndefined();
		expect(items('retried')).toMatchObject([{ submitted: true }]);
		expect(await service.faults.requestsFor(WRITE)).toBe(2);
	});
}
