import { randomUUID } from 'node:crypto';
import type { Fault, FaultRequest } from './fault.mts';
import { concerns, stageOf, type Target } from './stages.mts';

interface Programmed {
	fault: Fault;
	method: string | undefined;
	path: RegExp | undefined;
	caller: string | undefined;
	skip: number;
	left: number;
}

function matches({ fault, method, path, caller }: Programmed, target: Target): boolean {
	if (method !== undefined && method !== target.method) return false;
	if (path !== undefined && !path.test(target.path)) return false;
	if (caller !== undefined && caller !== target.caller) return false;
	return concerns(stageOf(fault.kind), target);
}

/** The faults programmed by tests. */
export class FaultRegistry {
	readonly #programmed = new Map<string, Programmed>();

	/** Whether any fault matches by user, so that `take` needs the user of each request. */
	get asksForCaller(): boolean {
		return [...this.#programmed.values()].some(({ caller }) => caller !== undefined);
	}

	/** @returns an ID for the fault */
	add({ kind, params = {}, match = {}, skip = 0, times }: FaultRequest): string {
		const id = randomUUID();
		this.#programmed.set(id, {
			fault: { kind, params },
			method: match.method?.toUpperCase(),
			path: match.path === undefined ? undefined : new RegExp(`^(?:${match.path})$`),
			caller: match.caller,
			skip,
			left: times ?? Infinity,
		});
		return id;
	}

	clear(): void {
		this.#programmed.clear();
	}

	/**
	 * Takes the faults that hit a request: in every stage, the first programmed fault that matches. Counts each down
	 * by one.
	 */
	take(target: Target): Fault[] {
		const taken = new Map<unknown, Fault>();
		for (const [id, programmed] of this.#programmed) {
			const stage = stageOf(programmed.fault.kind);
			if (taken.has(stage) || !matches(programmed, target)) continue;
			if (programmed.skip > 0) {
				programmed.skip -= 1;
				continue;
			}
			programmed.left -= 1;
			if (programmed.left <= 0) this.#programmed.delete(id);
			taken.set(stage, programmed.fault);
		}
		return [...taken.values()];
	}
}
