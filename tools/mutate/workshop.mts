import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Copy } from './copy.mts';
import { copyRepository } from './copy.mts';
import type { Suite } from './orders.mts';
import type { Outcome } from './test-process.mts';
import { TestProcess } from './test-process.mts';

/** What is to be run. */
export interface TestToRun {
	readonly suite: Suite;
	/** Path from the repository's root. */
	readonly path: string;
}

/** A copy of the repository and the process that runs tests in it. */
export class Workshop {
	readonly #copy: Copy;

	readonly #process: TestProcess;

	#isBundled = false;

	private constructor(copy: Copy) {
		this.#copy = copy;
		this.#process = new TestProcess(copy.directory);
	}

	static async open(): Promise<Workshop> {
		return new Workshop(await copyRepository());
	}

	/** Puts a text in the place of a source file. */
	async write(file: string, text: string): Promise<void> {
		this.#isBundled = false;
		await writeFile(join(this.#copy.directory, file), text);
	}

	/**
	 * Runs one test file on the sources as they are.
	 *
	 * @param testTimeout longest time that one test may take, in milliseconds
	 * @param regionCount how many regions there are, when it is to be noted which of them are reached
	 */
	async run({ suite, path }: TestToRun, testTimeout: number, regionCount = 0): Promise<Outcome> {
		// Unit tests import the sources themselves.
		if (suite === 'engine' && !this.#isBundled) {
			const problem = await this.#process.bundle();
			if (problem !== undefined) return { state: 'not built', failure: problem };
			this.#isBundled = true;
		}
		return await this.#process.run({ do: 'run', suite, path, testTimeout, regionCount });
	}

	async close(): Promise<void> {
		await this.#process.close();
		await this.#copy.remove();
	}
}

/** Does a piece of work for each item, as many at a time as there are workshops. */
export async function shareOut<T>(
	workshops: readonly Workshop[],
	items: readonly T[],
	work: (item: T, workshop: Workshop) => Promise<void>,
): Promise<void> {
	const rest = items.values();
	const workers = workshops.map(async (workshop) => {
		for (const item of rest) await work(item, workshop);
	});
	await Promise.all(workers);
}
