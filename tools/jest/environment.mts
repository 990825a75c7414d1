/**
 * Jest environment that runs tests in the realm of Node.js instead of a new realm for each file: packages are loaded once
 * per process (`package.mts`), and share the classes of errors and arrays, and the clock, with the tests.
 */
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import vm from 'node:vm';

import { NATIVE_REQUIRE } from './package.mts';
import { shareWithNode } from './resolver.mts';

/** The part of jest's configuration used here. */
export interface Config {
	readonly projectConfig: { readonly rootDir: string };
}

type Part = object & { readonly constructor: unknown };

interface Environment {
	global: typeof globalThis;
	moduleMocker: Part;
	fakeTimersModern: Part;
	teardown(): Promise<void>;
}

const require = createRequire(import.meta.filename);
Reflect.set(globalThis, NATIVE_REQUIRE, require);
shareWithNode();

/** A `require` within jest: only jest's own packages can import its environment and its sequencer. */
export const inJest = ['jest', '@jest/core', 'jest-config'].reduce(
	(from, name) => createRequire(from.resolve(name)),
	require,
);
const { TestEnvironment } = inJest('jest-environment-node') as {
	readonly TestEnvironment: new (...settings: unknown[]) => Environment;
};

/** Represents the realm of Node.js, which is the default of `node:vm`. */
const SHARED_REALM = Object.freeze({});

const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) =>
	compileFunction(code, parameters, {
		...options,
		...(parsingContext !== SHARED_REALM && { parsingContext }),
	});

/** Creates another instance of a part's class. */
const again = ({ constructor }: Part, ...settings: unknown[]): Part =>
	Reflect.construct(constructor as new () => Part, settings);

export default class SharedRealm extends TestEnvironment {
	/** Globals that jest replaces while a file runs. */
	readonly #console = globalThis.console;

	readonly #process = { exit: process.exit, getBuiltinModule: process.getBuiltinModule };

	/** Folder of the built package, which keeps records of writes: it is unloaded, so that each file starts without any. */
	readonly #built: string;

	constructor(config: Config, ...settings: unknown[]) {
		super(config, ...settings);
		this.#built = join(config.projectConfig.rootDir, 'dist', sep);
		this.global = globalThis;
		this.moduleMocker = again(this.moduleMocker, globalThis);
		this.fakeTimersModern = again(this.fakeTimersModern, {
			config: config.projectConfig,
			global: globalThis,
		});
	}

	getVmContext(): object {
		return SHARED_REALM;
	}

	async teardown(): Promise<void> {
		await super.teardown();
		// jest adds to the handlers that it finds, so each event would also reach those of all earlier files.
		Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
		globalThis.console = this.#console;
		Object.assign(process, this.#process);
		for (const path of Object.keys(require.cache)) {
			if (path.startsWith(this.#built)) Reflect.deleteProperty(require.cache, path);
		}
	}
}
