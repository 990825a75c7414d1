/**
 * Asks the package registry whether a vulnerability is known in what the built package carries along.
 *
 * Ends with 0 when none is known, with 1 when there is one, and with 2 when the registry gave no answer.
 */
import { readFile } from 'node:fs/promises';
import { advisoriesFor } from './advisories.mts';
import { buildWhenChanged } from './build.mts';
import { bundledPackages } from './bundled-packages.mts';
import { bundleReport, root } from '../files/paths.mts';

await buildWhenChanged();
const packages = bundledPackages(JSON.parse(await readFile(bundleReport, 'utf8')), root);
const names = packages.map(({ name, version }) => `${name} ${version}`).join(', ');
const advisories = await advisoriesFor(packages);
if (!advisories.checked) {
	console.error(`NOT CHECKED: ${names}\nThe package registry gave no answer: ${advisories.reason}`);
	process.exitCode = 2;
} else if (advisories.vulnerable.length > 0) {
	console.error(`VULNERABLE: ${names}\n${advisories.vulnerable.join('\n')}`);
	process.exitCode = 1;
} else {
	console.log(`No vulnerability is known in what is shipped: ${names}`);
}
