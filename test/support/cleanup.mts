type Task = () => Promise<unknown>;

/**
 * What a test file has to undo in its end, whatever went wrong before: in reverse order, each task although another one failed.
 * What is added after the end, by a start that took too long, is undone at once.
 */
export class Cleanup {
	readonly #tasks: Task[] = [];
	#isOver = false;

	/** Remembers a task to undo something that exists from now on. */
	async add(task: Task): Promise<void> {
		if (this.#isOver) await task();
		else this.#tasks.push(task);
	}

	/** Undoes everything. For `afterAll`. */
	async run(): Promise<void> {
		this.#isOver = true;
		const failures: unknown[] = [];
		for (const task of this.#tasks.reverse()) {
			await task().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be undone');
	}
}
