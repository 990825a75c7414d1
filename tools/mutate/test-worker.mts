/** Runs test files in a copy of the repository, its working directory, as it is told by the process that started it. */
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { runCLI } from 'jest';

import type { Answer, Order, RunOrder, Shared, TestRun } from './orders.mts';
import { SHARED } from './orders.mts';

const copy = process.cwd();
const tools = join(copy, 'tools', 'mutate');
const require = createRequire(join(copy, 'package.json'));
const { default: jest } = await import(join(copy, 'jest.config.mjs'));

type Argv = Parameters<typeof runCLI>[0];

const shared: Shared = { reached: new Uint8Array(), testTimeout: 0 };
Reflect.set(globalThis, SHARED, shared);

/** Kinds of resources by which code that has not ended could still do something. */
const UNFINISHED = /^(?:Timeout|Immediate|TCP|GetAddrInfo)/;

const inShort = (text: string): string =>
	stripVTControlCharacters(text).replace(/\s+/g, ' ').slice(0, 300);

async function runTests({ suite, path, testTimeout, regionCount }: RunOrder): Promise<TestRun> {
	shared.reached = new Uint8Array(regionCount);
	shared.testTimeout = testTimeout;
	const usesRandom = (await readFile(path, 'utf8')).includes("from 'fast-check'");
	const config = {
		...jest.projects.find((project: { displayName: string }) => project.displayName === suite),
		testEnvironment: join(tools, 'environment.mts'),
		setupFiles: usesRandom ? [join(tools, 'reproducible.mts')] : [],
		cacheDirectory: join(copy, '.local', 'jest'),
	};
	const argv = {
		...{ _: [join(copy, path)], $0: 'jest', config: JSON.stringify(config), runTestsByPath: true },
		...{ runInBand: true, watchman: false, silent: true, reporters: [], testTimeout },
	};
	const before = performance.now();
	const { results } = await runCLI(argv as Argv, [copy]);
	const failed = results.testResults.flatMap(({ testResults, failureMessage, testExecError }) => {
		const test = testResults.find(({ status }) => status === 'failed');
		if (test) return [`${test.fullName}: ${inShort(test.failureMessages[0] ?? '')}`];
		return testExecError || results.numRuntimeErrorTestSuites > 0
			? [inShort(failureMessage ?? '')]
			: [];
	});
	return {
		passed: results.numPassedTests,
		failure: failed[0],
		milliseconds: Math.round(performance.now() - before),
		reached: [...shared.reached.keys()].filter((number) => shared.reached[number] === 1),
		isQuiet: !process.getActiveResourcesInfo().some((kind) => UNFINISHED.test(kind)),
		heapUsed: process.memoryUsage().heapUsed,
	};
}

async function bundle(): Promise<void> {
	const {
		bundle: build,
	}: { bundle: (done: (error?: Error) => void) => void } = require('./gulpfile.js');
	await promisify(build)();
}

async function answer(order: Order): Promise<Answer> {
	try {
		if (order.do === 'run') return { run: await runTests(order) };
		await bundle();
		return {};
	} catch (error) {
		return { problem: String(error) };
	}
}

process.on('message', (order: Order) => {
	void answer(order).then((said) => process.send?.(said));
});
process.once('disconnect', () => process.exit());
