import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, readObject, readText } from '../files/json.mts';

/** A package with code in the bundle. */
export interface BundledPackage {
	name: string;
	version: string;
	/** SPDX identifier from its `package.json`. */
	licence: string;
	/** Text of its licence file. */
	licenceText: string;
}

/** Folder and name of the package that a file belongs to; a path may lead through several `node_modules`. */
const PACKAGE_FOLDER = /^.*\/?node_modules\/(?:@[^/]+\/)?[^/]+/;

/** First paragraph of the notice. */
const PREAMBLE =
	'The files in this folder contain parts of the packages below, each under its own licence.\n';

const RULE = `\n${'='.repeat(80)}\n`;

function readPackage(folder: string): BundledPackage {
	const file = join(folder, 'package.json');
	const manifest = readJsonFile(file);
	const licenceFile = readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
	if (licenceFile === undefined) throw new Error(`${folder} has no licence text`);
	return {
		name: readText(manifest.name, `the name in ${file}`),
		version: readText(manifest.version, `the version in ${file}`),
		licence: readText(manifest.license, `the licence in ${file}`),
		licenceText: readFileSync(join(folder, licenceFile), 'utf8').trim(),
	};
}

/**
 * The packages with at least one byte in the bundle, sorted by folder. @throws Error if a package has no licence text.
 *
 * @param metafile - esbuild's report on a build, with paths relative to `directory`: https://esbuild.github.io/api/#metafile
 */
export function bundledPackages(metafile: unknown, directory: string): BundledPackage[] {
	const { outputs } = readObject(metafile, 'the metafile');
	const folders = Object.values(readObject(outputs, 'the outputs')).flatMap((output) => {
		const { inputs } = readObject(output, 'an output');
		return Object.entries(readObject(inputs, 'the inputs'))
			.filter(([, input]) => Number(readObject(input, 'an input').bytesInOutput) > 0)
			.flatMap(([file]) => PACKAGE_FOLDER.exec(file) ?? []);
	});
	return [...new Set(folders)].sort().map((folder) => readPackage(join(directory, folder)));
}

/** The published notice: each package with its full licence text. */
export function licenceNotice(packages: BundledPackage[]): string {
	const sections = packages.map(
		({ name, version, licence, licenceText }) =>
			`${RULE}${name} ${version} (${licence})${RULE}\n${licenceText}\n`,
	);
	return [PREAMBLE, ...sections].join('');
}
