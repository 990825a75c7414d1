/**
 * Runs before each test file. It loads the built package for engine tests, so that code which runs while the package is loaded
 * does not count as run by the tests, and it makes random values repeatable.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { testPath = '' } = expect.getState();
const load = createRequire(join(process.cwd(), 'package.json'));
if (testPath.includes('/test/engine/')) {
	const { credentials, nodes } = load('./package.json').n8n;
	for (const file of [...credentials, ...nodes]) load(`./${file}`);
}
if (readFileSync(testPath, 'utf8').includes("from 'fast-check'")) {
	load('fast-check').configureGlobal({ seed: 1, endOnFailure: true });
}
