import type { Place } from '../place';

/**
 * Values by execution and by invocation. The value of an invocation lives as long as n8n keeps the object that identifies
 * the invocation.
 *
 * @example
 * const totals = new ByScope();
 * totals.keep('execution 1', { wei: 5n });
 * totals.find('execution 1') // { wei: 5n }
 */
export class ByScope<T extends object> {
	/** By execution, the most recently active one last. */
	readonly executions = new Map<string, T>();

	readonly #invocations = new WeakMap<object, T>();

	find(scope: Place['scope']): T | undefined {
		return typeof scope === 'string' ? this.executions.get(scope) : this.#invocations.get(scope);
	}

	/** Stores the value of a scope, which is active now. */
	keep(scope: Place['scope'], value: T): void {
		if (typeof scope !== 'string') {
			this.#invocations.set(scope, value);
			return;
		}
		this.executions.delete(scope);
		this.executions.set(scope, value);
	}
}
