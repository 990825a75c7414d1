import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';

import type { Answer, Order, RunOrder, TestRun } from './orders.mts';

/** Memory that the tests may use, in megabytes; what needs more ends its process. */
const MAX_HEAP = 2048;

/** A process that keeps more than this, in bytes, is replaced: what jest leaves behind adds up. */
const WORN_OUT = 700e6;

/** Longest time that bundling may take, in milliseconds. */
const BUNDLING = 120_000;

/** How much longer than its slowest test a test file may take, in milliseconds: loading, starting, and stopping. */
const BESIDE_TESTS = 20_000;

const WORKER = join(import.meta.dirname, 'test-worker.mts');

/** How a test file went, or why nobody knows. */
export type Outcome =
	| ({ readonly state: 'ran' } & TestRun)
	| { readonly state: 'timed out' | 'crashed' | 'not built'; readonly failure: string };

/** A process that takes orders. */
function startWorker(copy: string) {
	return execa(process.execPath, [`--max-old-space-size=${MAX_HEAP}`, WORKER], {
		cwd: copy,
		env: { NODE_ENV: 'test', TMPDIR: join(copy, '.local', 'tmp') },
		stdin: 'ignore',
		all: true,
		ipc: true,
		buffer: false,
		reject: false,
	});
}

/** Runs tests in one copy of the repository, in a process that is replaced when it has suffered. */
export class TestProcess {
	readonly #copy: string;

	#child: ReturnType<typeof startWorker> | undefined;

	#isClosed = false;

	/** The last lines that the process wrote. */
	#log = '';

	constructor(copy: string) {
		this.#copy = copy;
	}

	/**
	 * Bundles the package in the copy.
	 *
	 * @returns why the sources cannot be bundled, if so
	 * @throws Error when nobody knows whether they can
	 */
	async bundle(): Promise<string | undefined> {
		const said = await this.#ask({ do: 'bundle' }, BUNDLING);
		if (said === 'timed out' || said === 'crashed')
			throw new Error(`Bundling ${said}: ${this.#log}`);
		return said.problem;
	}

	/** Runs one test file. */
	async run(order: RunOrder): Promise<Outcome> {
		const { testTimeout } = order;
		const said = await this.#ask(order, testTimeout + BESIDE_TESTS);
		if (said === 'timed out') return { state: said, failure: `longer than ${testTimeout} ms` };
		if (said === 'crashed') return { state: said, failure: this.#log.slice(-300) };
		const { run, problem = 'no answer' } = said;
		if (run === undefined) throw new Error(problem);
		// What a failed test left unfinished must not trouble the tests of the next mutant.
		if (!run.isQuiet || run.heapUsed > WORN_OUT) await this.stop();
		return { state: 'ran', ...run };
	}

	/** Ends the process for good. */
	async close(): Promise<void> {
		this.#isClosed = true;
		await this.stop();
	}

	/** Ends the process, and with it all services that its tests started. */
	async stop(): Promise<void> {
		const child = this.#child;
		this.#child = undefined;
		child?.kill('SIGKILL');
		await child;
	}

	async #ask(order: Order, limit: number): Promise<Answer | 'timed out' | 'crashed'> {
		if (this.#isClosed) throw new Error('Stopped');
		if (this.#child?.connected === false) await this.stop();
		const child = (this.#child ??= this.#start());
		const isOver = new AbortController();
		const answered = async (): Promise<Answer | 'crashed'> => {
			try {
				const [said] = await Promise.all([child.getOneMessage(), child.sendMessage({ ...order })]);
				// Sent by our own worker.
				return said as unknown as Answer;
			} catch {
				return 'crashed';
			}
		};
		const late = setTimeout(limit, 'timed out' as const, isOver);
		const said = await Promise.race([answered(), late]);
		isOver.abort();
		if (said === 'timed out' || said === 'crashed') await this.stop();
		return said;
	}

	#start(): ReturnType<typeof startWorker> {
		const child = startWorker(this.#copy);
		this.#log = '';
		child.all.on('data', (data) => (this.#log = (this.#log + String(data)).slice(-2000)));
		return child;
	}
}
