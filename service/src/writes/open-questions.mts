import type { WriteRow } from '../store/tables.mts';

/** A question about a write that the endpoints leave open. */
interface Question {
	text: string;
	/** When it was first asked, in milliseconds of the monotonic clock. */
	since: number;
}

/** Why a write is pending that was in a block: the endpoints are not of one voice about it. @returns undefined for all others */
export function doubtAbout({
	block_number: number,
	block_hash: hash,
}: Pick<WriteRow, 'block_number' | 'block_hash'>): string | undefined {
	if (number === null || hash !== null) return undefined;
	return `It was in block ${number}; then too few endpoints had that block, or they did not agree about it, so whether it still is in one is not known yet`;
}

/** What is not known about writes, in words, by ID of the write. It is asked again in each round of the loops. */
export class OpenQuestions {
	readonly #questions = new Map<string, Question>();

	/** @param text a sentence for the caller */
	ask(id: string, text: string): void {
		const { since } = this.#questions.get(id) ?? { since: performance.now() };
		this.#questions.set(id, { text, since });
	}

	answered(id: string): void {
		this.#questions.delete(id);
	}

	/** Forgets what was asked about all other writes: another process has answered it. */
	keep(open: ReadonlySet<string>): void {
		for (const id of this.#questions.keys()) if (!open.has(id)) this.#questions.delete(id);
	}

	of(id: string): string | undefined {
		return this.#questions.get(id)?.text;
	}

	/** The questions that have been open for longer, in milliseconds. */
	olderThan(ms: number): string[] {
		const before = performance.now() - ms;
		return [...this.#questions.values()].flatMap(({ text, since }) => {
			return since <= before ? text : [];
		});
	}
}
