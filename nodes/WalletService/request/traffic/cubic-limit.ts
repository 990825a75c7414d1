const SECOND_MS = 1000;

/**
 * A limit that nobody states and that is found by being refused: it falls to a share of what was refused, comes back to it
 * quickly at first and then ever more slowly, stays there for a while, and only then tries more. This is how CUBIC sets the
 * window of TCP (RFC 9438, section 4.2), and how the AWS SDKs set their rate after throttling.
 *
 * @example
 * const limit = new CubicLimit({ share: 0.5, growth: 0.0003 });
 * limit.at(0) // Infinity
 * limit.lower(40, 0);
 * limit.at(0) // 20
 */
export class CubicLimit {
	readonly #growth: number;

	/** Seconds until what was refused is allowed again. */
	readonly #plateau: number;

	#refused: number | undefined;

	#loweredAt = 0;

	/**
	 * @param share what remains of it after a refusal, from 0 to below 1
	 * @param growth how fast it comes back, as a share per second cubed
	 */
	constructor({ share, growth }: { readonly share: number; readonly growth: number }) {
		this.#growth = growth;
		this.#plateau = Math.cbrt((1 - share) / growth);
	}

	/** Whether it was ever lowered. */
	get isKnown(): boolean {
		return this.#refused !== undefined;
	}

	/** The limit at a time, at least 1; `Infinity` until it is lowered. @param now in milliseconds since 1970 */
	at(now: number): number {
		if (this.#refused === undefined) return Infinity;
		const seconds = (now - this.#loweredAt) / SECOND_MS;
		const share = 1 + this.#growth * (seconds - this.#plateau) ** 3;
		return Math.max(1, this.#refused * share);
	}

	/** Lowers it, because so much was too much. @param now in milliseconds since 1970 */
	lower(refused: number, now: number): void {
		this.#refused = Math.max(1, refused);
		this.#loweredAt = now;
	}
}
