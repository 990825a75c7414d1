/** A question about a write that the endpoints leave open. */
interface Question {
	text: string;
	/** When it was first asked, in milliseconds of the monotonic clock. */
	since: number;
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
