import { monotonicMs } from '../../values/clock';
import { ByScope } from '../memory/by-scope';
import type { Place } from '../place';

/** How long the total of an execution is kept after its last payment: it may wait for days, for a person for example. */
const MAX_IDLE_MS = 30 * 24 * 60 * 60 * 1000;

interface Spent {
	activeAt: number;
	/** In wei, by credential. */
	readonly byCredential: Map<string, bigint>;
}

/**
 * How much native coin each execution, or invocation, has sent with each credential, in this process.
 *
 * @example
 * const spent = new SpentValue();
 * spent.add('execution 1', 'credential 1', 5n);
 * spent.of('execution 1', 'credential 1') // 5n
 */
export class SpentValue {
	readonly #spent = new ByScope<Spent>();

	/** In wei. */
	of(scope: Place['scope'], credential: string): bigint {
		return this.#spent.find(scope)?.byCredential.get(credential) ?? 0n;
	}

	/** Adds an amount that is about to be sent, in wei; a negative one reverts what certainly was not sent. */
	add(scope: Place['scope'], credential: string, wei: bigint): void {
		if (wei === 0n) return;
		const spent = this.#spent.find(scope) ?? {
			activeAt: 0,
			byCredential: new Map<string, bigint>(),
		};
		spent.activeAt = monotonicMs();
		spent.byCredential.set(credential, this.of(scope, credential) + wei);
		this.#spent.keep(scope, spent);
		const { executions } = this.#spent;
		for (const [oldest, { activeAt }] of executions) {
			if (spent.activeAt - activeAt <= MAX_IDLE_MS) return;
			executions.delete(oldest);
		}
	}
}
