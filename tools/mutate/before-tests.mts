/**
 * Runs before each test file. For engine tests, it loads the built package, so that code that runs during loading does not
 * count as run by the tests. It also makes random values repeatable.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NATIVE_REQUIRE } from '../jest/package.mts';

const { testPath = '' } = expect.getState();
const load: NodeJS.Require = Reflect.get(globalThis, NATIVE_REQUIRE);
if (testPath.includes('/test/engine/')) {
	const { credentials, nodes } = load(join(process.cwd(), 'package.json')).n8n;
	for (const file of [...credentials, ...nodes]) load(join(process.cwd(), file));
}
if (readFileSync(testPath, 'utf8').includes("from 'fast-check'")) {
	load('fast-check').configureGlobal({ seed: 1, endOnFailure: true });
}
