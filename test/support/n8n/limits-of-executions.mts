/** Limits per execution of a credential, in every part of n8n that can pay. */
import { until } from '../until.mts';
import { CASES, type CutOff, type CutOffHost } from './cut-off-cases.mts';
import { caseOf, createAll, type Payer } from './cut-off.mts';

/** Less than the payments of an execution, and more than each of them. */
const LIMIT = '0.05';
const NAMES = Object.keys(CASES).filter((name) => caseOf(name).limited !== undefined);

/** Lets an execution, or a client, ask for all its payments. @returns their number, and what n8n has saved */
async function pay(name: string, cut: CutOff): Promise<{ count: number; saved: string }> {
	const { begin, again, waits } = caseOf(name);
	const ended = async () => await cut.host.executions.ended(cut.id);
	const isClient = again !== undefined && waits !== true;
	if (!isClient) await begin(cut);
	await again?.(cut);
	if (!isClient) await until(async () => (await ended()).length > 0);
	return { count: await cut.paid(), saved: isClient ? '' : JSON.stringify(await ended()) };
}

/** The tests of executions that ask for more than their credential allows. */
export function testLimits(host: CutOffHost, payers: Record<string, Payer>): void {
	describe.each(Object.entries(payers))('limits per execution, %s', (_payer, payer) => {
		const results = new Map<string, ReturnType<typeof pay>>();

		beforeAll(async () => {
			const cuts = await createAll(host, payer, NAMES, LIMIT);
			for (const [name, cut] of cuts) results.set(name, pay(name, cut));
			await Promise.allSettled(results.values());
		});

		test.each(NAMES)('%s pays no more', async (name) => {
			const { count, saved } = (await results.get(name)) ?? {};
			expect(count).toBe(caseOf(name).limited);
			// Each call of a client is an execution.
			if (saved !== '') expect(saved).toContain('Token Limits per Execution');
		});
	});
}
