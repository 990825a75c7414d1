import type { Place } from './place';

/** Something for each execution, and for each invocation: of that one, n8n's own object keeps it as long as n8n has it. */
export class ByScope<T extends object> {
	/** By execution, the one that was active last at the end. */
	readonly executions = new Map<string, T>();

	readonly #invocations = new WeakMap<object, T>();

	find(scope: Place['scope']): T | undefined {
		return typeof scope === 'string' ? this.executions.get(scope) : this.#invocations.get(scope);
	}

	/** Keeps it for a scope that is active now. */
	keep(scope: Place['scope'], value: T): void {
		if (typeof scope !== 'string') {
			this.#invocations.set(scope, value);
			return;
		}
		this.executions.delete(scope);
		this.executions.set(scope, value);
	}
}
