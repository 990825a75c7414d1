import type { Place } from './place';

/** How long what an execution has spent is kept after its last payment: it may wait for days, for a person for example. */
const MAX_IDLE_MS = 30 * 24 * 60 * 60 * 1000;

interface Spent {
	activeAt: number;
	/** In wei, by credential. */
	readonly byCredential: Map<string, bigint>;
}

/** How much native coin each execution, or invocation, has sent with each credential; in this process. */
export class SpentValue {
	/** By execution, the one that was active last at the end. */
	readonly #executions = new Map<string, Spent>();

	readonly #invocations = new WeakMap<object, Spent>();

	/** In wei. */
	of(scope: Place['scope'], credential: string): bigint {
		return this.#at(scope)?.byCredential.get(credential) ?? 0n;
	}

	/** Adds an amount that is about to be sent, in wei; a negative one takes back what certainly was not. */
	add(scope: Place['scope'], credential: string, wei: bigint): void {
		if (wei === 0n) return;
		const spent = this.#at(scope) ?? { activeAt: 0, byCredential: new Map<string, bigint>() };
		spent.activeAt = Date.now();
		spent.byCredential.set(credential, this.of(scope, credential) + wei);
		if (typeof scope !== 'string') {
			this.#invocations.set(scope, spent);
			return;
		}
		this.#executions.delete(scope);
		this.#executions.set(scope, spent);
		for (const [oldest, { activeAt }] of this.#executions) {
			if (spent.activeAt - activeAt <= MAX_IDLE_MS) return;
			this.#executions.delete(oldest);
		}
	}

	#at(scope: Place['scope']): Spent | undefined {
		return typeof scope === 'string' ? this.#executions.get(scope) : this.#invocations.get(scope);
	}
}
