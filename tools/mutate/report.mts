import type { Mutant } from './mutants.mts';
import { shorten } from './mutants.mts';
import type { State, Verdict } from './trial.mts';
import { STATES } from './trial.mts';

/** A mutant on one line. */
export const describe = ({ file, line, before, after }: Mutant): string =>
	`${file}:${line}  ${shorten(before)}  ->  ${shorten(after)}`;

/** What becomes of a mutant that no test noticed. */
export const isMissed = ({ state }: Verdict): boolean =>
	state === 'survived' || state === 'unreached';

/** Test files without what all their paths have in common. */
const namesOf = (tests: readonly string[]): string =>
	tests.map((path) => path.replace(/^test\/|\.test\.mts$/g, '')).join(', ');

/** Why a mutant was missed. */
function reasonOf({ tests, reachedBy }: Verdict): string {
	if (reachedBy.length === 0) return 'no test reaches it';
	const others = reachedBy.filter((path) => !tests.includes(path));
	const same = `makes no difference in ${namesOf(others)}`;
	if (tests.length === 0) return same;
	return `not found by ${namesOf(tests)}${others.length > 0 ? `; ${same}` : ''}`;
}

/** How many mutants came to which end. */
export function countsOf(verdicts: readonly Verdict[]): Record<State, number> {
	const counts = STATES.map((state) => {
		return [state, verdicts.filter((verdict) => verdict.state === state).length] as const;
	});
	return Object.fromEntries(counts) as Record<State, number>;
}

/** The mutants that were missed, and the counts. */
export function summaryOf(verdicts: readonly Verdict[], seconds: number): string {
	const missed = verdicts.filter(isMissed);
	const table = missed.map((verdict) => `${describe(verdict.mutant)}\n    ${reasonOf(verdict)}`);
	const counts = Object.entries(countsOf(verdicts)).map(([state, count]) => `${count} ${state}`);
	const each = verdicts.length === 0 ? 0 : seconds / verdicts.length;
	return [
		...(table.length > 0 ? ['', 'Missed:', ...table] : []),
		'',
		`${verdicts.length} mutants: ${counts.join(', ')}`,
		`${seconds.toFixed(0)} s, ${each.toFixed(1)} s a mutant`,
	].join('\n');
}

/** The same for programs. */
export function reportOf(verdicts: readonly Verdict[], seconds: number): object {
	return {
		counts: countsOf(verdicts),
		seconds,
		mutants: verdicts.map(({ mutant, ...verdict }) => {
			const { file, line, kind, before, after, key } = mutant;
			return { file, line, kind, before, after, key, ...verdict };
		}),
	};
}
