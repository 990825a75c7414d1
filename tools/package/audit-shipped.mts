/**
 * Queries the package registry for known vulnerabilities in the bundled packages.
 *
 * Exits with 0 if none is known, with 1 if there is one, and with 2 if the registry did not answer.
 */
import { advisoriesFor } from './advisories.mts';
import { buildWhenChanged } from './build.mts';
import { bundledPackages } from './bundled-packages.mts';
import { readJsonFile } from '../files/json.mts';
import { bundleReport, root } from '../files/paths.mts';

await buildWhenChanged();
const packages = bundledPackages(readJsonFile(bundleReport), root);
const names = packages.map(({ name, version }) => `${name} ${version}`).join(', ');
const advisories = await advisoriesFor(packages);
if (!advisories.checked) {
	console.error(`NOT CHECKED: ${names}\nThe package registry did not answer: ${advisories.reason}`);
	process.exitCode = 2;
} else if (advisories.vulnerable.length > 0) {
	console.error(`VULNERABLE: ${names}\n${advisories.vulnerable.join('\n')}`);
	process.exitCode = 1;
} else {
	console.log(`No known vulnerability in the bundled packages: ${names}`);
}
