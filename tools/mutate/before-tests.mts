/**
 * Runs before each test file: loads the built package for an engine test, so that its tests are not taken for users of all
 * that loading it runs, and makes random values repeatable.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { NATIVE_REQUIRE } from '../jest/package.mts';

const { testPath = '' } = expect.getState();
const load = createRequire(join(process.cwd(), 'package.json'));
if (testPath.includes('/test/engine/')) {
	const { credentials, nodes } = load('./package.json').n8n;
	const natively: NodeJS.Require = Reflect.get(globalThis, NATIVE_REQUIRE);
	for (const file of [...credentials, ...nodes]) natively(join(process.cwd(), file));
}
if (readFileSync(testPath, 'utf8').includes("from 'fast-check'")) {
	load('fast-check').configureGlobal({ seed: 1, endOnFailure: true });
}
