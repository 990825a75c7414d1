/**
 * Lets one of two endpoints lie about each method and field, at each moment, and then be honest:
 *
 *   npm run service:hostile                          (every third case)
 *   npm run service:hostile -- --every 8             (fewer)
 *   npm run service:hostile -- --all                 (each lie at each of its moments, by either endpoint)
 *   npm run service:hostile -- --only "a receipt"    (all cases whose names contain it)
 *
 * What the service tells must be so, or open; nothing is paid beyond the limits; and within a minute everything must be right, by
 * itself or by one documented command. Prints each case that fails. `--first` begins with another case, `--early`
 * also prints what was told as not final and was not so, and `--together` is the number of cases at the same time. The last line
 * sums up. Exits non-zero if a case fails.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import './node-sources.mts';
import { isVerdict, type Verdict } from './hostile/verdict.mts';

// Only now: they import the service, which imports sources of the node.
const { allCases } = await import('./hostile/cases.mts');

const WORKER = join(import.meta.dirname, 'hostile-worker.mts');
/** Files in memory: each commit of a database is flushed otherwise. */
const MEMORY = '/dev/shm';

const { values } = parseArgs({
	options: {
		all: { type: 'boolean', default: false },
		only: { type: 'string' },
		every: { type: 'string', default: '3' },
		first: { type: 'string', default: '0' },
		together: { type: 'string', default: '24' },
		early: { type: 'boolean', default: false },
		list: { type: 'boolean', default: false },
	},
});
const { all, only, every, first } = values;
const cases = allCases(all).filter(({ name }, index) => {
	return only === undefined ? all || index % Number(every) === Number(first) : name.includes(only);
});
if (values.list) {
	for (const { name } of cases) console.log(name);
	process.exit(0);
}

const begun = performance.now();
const verdicts: Verdict[] = [];
const next = cases.values();
let open = 0;

function report(verdict: Verdict): void {
	const { name, faults, early } = verdict;
	verdicts.push(verdict);
	const told = values.early ? early.map((one) => `early: ${one}`) : [];
	if (faults.length > 0) console.log(`FAILED ${name}`);
	for (const line of [...faults, ...told]) console.log(`   ${line}`);
}

/** Gives a process the next case. */
function give(child: ChildProcess): void {
	const { value } = next.next();
	if (value === undefined) return;
	open += 1;
	child.send({ name: value.name, isComplete: all });
}

const env = { ...process.env, ...(existsSync(MEMORY) ? { TMPDIR: MEMORY } : {}) };
const processes = Math.min(availableParallelism(), cases.length);
const children = Array.from({ length: processes }, () => fork(WORKER, { env }));
await new Promise<void>((resolve, reject) => {
	for (const child of children) {
		child.on('exit', (code) => reject(new Error(`A process ended with ${code}`)));
		child.on('message', (verdict) => {
			if (!isVerdict(verdict)) return;
			open -= 1;
			report(verdict);
			give(child);
			if (open === 0) resolve();
		});
		const share = Math.ceil(Number(values.together) / processes);
		for (let place = 0; place < share; place++) give(child);
	}
});
for (const child of children) child.removeAllListeners('exit').kill();
const count = (isSo: (one: Verdict) => boolean): number => verdicts.filter(isSo).length;
const failed = count(({ faults }) => faults.length > 0);
const helped = count(({ isHelped }) => isHelped);
const early = count((one) => one.early.length > 0);
const slowest = verdicts.reduce((most, { seconds }) => Math.max(most, seconds), 0);
const spent = Math.round((performance.now() - begun) / 1_000);
console.log(
	`${failed === 0 ? 'proven' : 'NOT PROVEN'}: ${verdicts.length} cases of one lying endpoint, ${failed} failed, ${helped} healed by a command, ${early} told something as not final that was not so, slowest healing ${slowest} s (${spent} s)`,
);
process.exit(failed === 0 ? 0 : 1);
