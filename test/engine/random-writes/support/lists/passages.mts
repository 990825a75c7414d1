import type { Sending } from './logs.mts';
import type { Crash, Fate } from './scenarios.mts';

/** A process that is to die. */
interface Dying {
	readonly crash: Crash;
	/** Requests until then. */
	left: number;
	readonly die: (value: undefined) => void;
}

/** A request that arrives later. */
interface Late {
	readonly session: number;
	readonly arrives: Crash['arrives'];
	readonly deliver: () => Promise<void>;
}

/** What happens to the requests of a list, and what was sent. */
export class Passages {
	readonly tokens: readonly string[];

	readonly sendings: Sending[] = [];

	readonly #fates: readonly Fate[];

	readonly #dying = new Map<number, Dying>();

	#late: Late[] = [];

	#met = 0;

	readonly #end = Promise.withResolvers<undefined>();

	constructor(fates: readonly Fate[], tokens: readonly string[]) {
		this.#fates = fates;
		this.tokens = tokens;
	}

	/** Fulfilled at the end: what was never answered is cut off then. */
	get ended(): Promise<undefined> {
		return this.#end.promise;
	}

	end(): void {
		this.#end.resolve(undefined);
	}

	/** Lets the process of a session die. @returns a promise that is fulfilled then */
	expect(session: number, crash: Crash | undefined): Promise<undefined> {
		const { promise, resolve: die } = Promise.withResolvers<undefined>();
		if (crash) this.#dying.set(session, { crash, left: crash.at, die });
		return promise;
	}

	/** What becomes of the next request. */
	nextFate(): Fate {
		return this.#fates[this.#met++] ?? 'ok';
	}

	/** A request has arrived. @returns what to do with it, if its process dies, or has died */
	async meet(session: number, isPayment: boolean): Promise<Crash['work'] | undefined> {
		await this.#deliver((late) => {
			const isNow = late.arrives === 'first' || (late.arrives === 'payment' && isPayment);
			return late.session < session && isNow;
		});
		const dying = this.#dying.get(session);
		if (dying === undefined) return undefined;
		dying.left -= 1;
		if (dying.left > 0) return undefined;
		dying.die(undefined);
		return dying.left === 0 ? dying.crash.work : 'none';
	}

	/** Keeps a request of a session that has died. */
	keepLate(session: number, deliver: () => Promise<void>): void {
		const arrives = this.#dying.get(session)?.crash.arrives ?? 'end';
		this.#late.push({ session, arrives, deliver });
	}

	/** Lets the requests arrive that others have overtaken; those of the session that has just ended are kept. */
	async deliverAll(newest = Math.max(...this.#dying.keys())): Promise<void> {
		await this.#deliver(({ session }) => session < newest);
	}

	async #deliver(isDue: (late: Late) => boolean): Promise<void> {
		const due = this.#late.filter(isDue);
		this.#late = this.#late.filter((late) => !due.includes(late));
		for (const { deliver } of due) await deliver();
	}
}
