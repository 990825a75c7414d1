import { randomUUID } from 'node:crypto';
import type { Fault, FaultRequest } from './fault.mts';

interface Programmed {
	fault: Fault;
	method: string | undefined;
	path: RegExp | undefined;
	skip: number;
	left: number;
}

/** The faults that tests have programmed. */
export class FaultRegistry {
	readonly #programmed = new Map<string, Programmed>();

	/** @returns an id for the fault */
	add({ kind, params = {}, match = {}, skip = 0, times }: FaultRequest): string {
		const id = randomUUID();
		this.#programmed.set(id, {
			fault: { kind, params },
			method: match.method?.toUpperCase(),
			path: match.path === undefined ? undefined : new RegExp(`^(?:${match.path})$`),
			skip,
			left: times ?? Infinity,
		});
		return id;
	}

	clear(): void {
		this.#programmed.clear();
	}

	/** The fault that hits a request, which uses it up once: the first programmed one that matches. */
	take(method: string, path: string): Fault | undefined {
		for (const [id, programmed] of this.#programmed) {
			if (programmed.method !== undefined && programmed.method !== method) continue;
			if (programmed.path !== undefined && !programmed.path.test(path)) continue;
			if (programmed.skip > 0) {
				programmed.skip -= 1;
				continue;
			}
			programmed.left -= 1;
			if (programmed.left <= 0) this.#programmed.delete(id);
			return programmed.fault;
		}
		return undefined;
	}
}
