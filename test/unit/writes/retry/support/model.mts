import { Random } from './random.mts';
import type { Rule, Totals } from './rule.mts';
import { Workflow } from './workflow.mts';

/**
 * Runs workflows under a rule.
 *
 * @param seed selects other workflows
 */
export function runModel(workflows: number, seed: number, rule: Rule): Totals {
	const random = new Random(seed);
	const totals = { retries: 0, paid: 0, doubled: 0, falseReports: 0, conflicts: 0 };
	for (let count = 0; count < workflows; count++) new Workflow(rule, random, totals).execute();
	return totals;
}
