import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readList, readObject, readText } from '../files/json.mts';
import { root } from '../files/paths.mts';

const require = createRequire(import.meta.url);

interface InstalledNode {
	displayName: string;
	name: string;
	version: number;
}

/** Loads a built node as n8n does: the file exports a class of the file's name. */
function describeNode(file: string): InstalledNode {
	const exported = readObject(require(join(root, file)), file);
	const NodeType = exported[basename(file, '.node.js')];
	if (typeof NodeType !== 'function') throw new Error(`${file} exports no node`);
	const { description } = readObject(Reflect.construct(NodeType, []), file);
	const { displayName, name, version, defaultVersion } = readObject(
		description,
		`${file} description`,
	);
	return {
		displayName: readText(displayName, 'the display name'),
		name: readText(name, 'the node name'),
		version: Number(defaultVersion ?? (Array.isArray(version) ? version.at(-1) : version)),
	};
}

/**
 * Enters the package into the two tables that n8n's "Settings > Community nodes" page reads, as n8n's own installer does
 * (`persistPackageWithNodes` of its installed packages repository). n8n must have created its database already, and must not run.
 */
export function recordInstalledPackage(userFolder: string): void {
	const manifest = readObject(require(join(root, 'package.json')), 'package.json');
	const name = readText(manifest.name, 'the package name');
	const version = readText(manifest.version, 'the package version');
	const { n8n, author } = manifest;
	const { name: authorName, email } = readObject(author, 'the author');
	const files = readList(readObject(n8n, 'the n8n section').nodes, 'the nodes');
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'));
	try {
		database.exec('BEGIN');
		database.prepare('DELETE FROM installed_nodes WHERE package = ?').run(name);
		database
			.prepare(
				`INSERT OR REPLACE INTO installed_packages
				(packageName, installedVersion, authorName, authorEmail, createdAt, updatedAt)
				VALUES (?, ?, ?, ?, datetime('now'), datetime('now'))`,
			)
			.run(name, version, readText(authorName, 'the author'), readText(email, 'the address'));
		for (const file of files) {
			const node = describeNode(readText(file, 'a node file'));
			database
				.prepare(
					'INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
				)
				.run(node.displayName, `${name}.${node.name}`, node.version, name);
		}
		database.exec('COMMIT');
	} finally {
		database.close();
	}
}
