import { ExpiringMap } from '../../values/caches';
import { monotonicMs } from '../../values/clock';
import type { AnsweredWrite } from './write-records';
import { shortened } from './write-records';

/** How long a submission is kept. */
const HOLDS_MS = 24 * 60 * 60 * 1000;
/** Maximum number of different calls kept; the oldest are dropped first. */
const MAX_CALLS = 50_000;
/** Maximum number of submissions kept of each call. */
const MAX_EQUAL = 10_000;
/** Maximum size of a record kept in full, in characters of its JSON. */
const MAX_RECORD = 2000;

interface Submission {
	readonly scope: string;
	readonly at: number;
	/** The record as JSON; absent where a submission by another scope was replayed. */
	readonly text?: string;
}

/**
 * Submissions of this process by node and canonical call, with the execution as scope. A repeated execution finds as many
 * equal ones as other executions have submitted.
 *
 * @example
 * submissions.add('key', 'execution 1', record);
 * submissions.find('key', 'execution 2', 60_000)?.answer // { status: 'SUCCESS', … }
 * submissions.find('key', 'execution 2', 60_000, 1) // undefined
 */
export class Submissions {
	readonly #byCall = new ExpiringMap<Submission[]>({ maxEntries: MAX_CALLS, holdsForMs: HOLDS_MS });

	/** @param record absent if a submission by another scope takes the place of this one */
	add(key: string, scope: string, record?: AnsweredWrite): void {
		const equal = this.#byCall.get(key) ?? [];
		const whole = record && JSON.stringify(record);
		const isLong = record !== undefined && whole !== undefined && whole.length > MAX_RECORD;
		const text = isLong ? JSON.stringify(shortened(record)) : whole;
		equal.push({ scope, at: monotonicMs(), text });
		if (equal.length > MAX_EQUAL) equal.shift();
		this.#byCall.set(key, equal);
	}

	/** Finds a submission by another scope that this one has not replayed yet. @param skip number of further ones to skip */
	find(key: string, scope: string, withinMs: number, skip = 0): AnsweredWrite | undefined {
		const equal = this.#byCall.get(key) ?? [];
		const replayed = equal.filter((one) => one.scope === scope && one.text === undefined).length;
		const since = monotonicMs() - withinMs;
		const others = equal.filter(
			(one) => one.scope !== scope && one.text !== undefined && one.at > since,
		);
		const { text } = others[replayed + skip] ?? {};
		return text === undefined ? undefined : (JSON.parse(text) as AnsweredWrite);
	}
}
