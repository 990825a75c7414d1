import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { Answer, Order, RunOrder, TestRun } from './orders.mts';

/** Memory that the tests may use, in megabytes; what needs more ends its process. */
const MAX_HEAP = 2048;

/** A process that keeps more than this, in bytes, is replaced: what jest leaves behind adds up. */
const WORN_OUT = 700e6;

/** Longest time that bundling may take, in milliseconds. */
const BUNDLING = 120_000;

/** How much longer than its slowest test a test file may take, in milliseconds: loading, starting, and stopping. */
const BESIDE_TESTS = 20_000;

/** How a test file went, or why nobody knows. */
export type Outcome =
	| ({ readonly state: 'ran' } & TestRun)
	| { readonly state: 'timed out' | 'crashed' | 'not built'; readonly failure: string };

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean =>
	exitCode === null && signalCode === null;

/** Runs tests in one copy of the repository, in a process that is replaced when it has suffered. */
export class TestProcess {
	readonly #copy: string;

	#child: ChildProcess | undefined;

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
		if (child === undefined || !isAlive(child)) return;
		const ended = once(child, 'exit');
		child.kill('SIGKILL');
		await ended;
	}

	async #ask(order: Order, limit: number): Promise<Answer | 'timed out' | 'crashed'> {
		if (this.#isClosed) throw new Error('Stopped');
		if (this.#child && !isAlive(this.#child)) this.#child = undefined;
		const child = (this.#child ??= this.#start());
		const { promise, resolve } = Promise.withResolvers<Answer | 'timed out' | 'crashed'>();
		const timer = setTimeout(() => resolve('timed out'), limit);
		const crashed = () => resolve('crashed');
		child.once('message', (said: Answer) => resolve(said));
		child.once('exit', crashed);
		child.once('error', crashed);
		if (child.connected) child.send(order);
		const said = await promise;
		clearTimeout(timer);
		child.removeListener('exit', crashed);
		child.removeListener('error', crashed);
		if (said === 'timed out' || said === 'crashed') await this.stop();
		return said;
	}

	#start(): ChildProcess {
		const child = fork(join(import.meta.dirname, 'test-worker.mts'), {
			cwd: this.#copy,
			execArgv: [`--max-old-space-size=${MAX_HEAP}`],
			env: { ...process.env, NODE_ENV: 'test', TMPDIR: join(this.#copy, '.local', 'tmp') },
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		});
		this.#log = '';
		child.on('error', (error) => (this.#log += String(error)));
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (data) => (this.#log = (this.#log + String(data)).slice(-2000)));
		}
		return child;
	}
}
