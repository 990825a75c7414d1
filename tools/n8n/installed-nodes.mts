import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { INodeType } from 'n8n-workflow';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../files/paths.mts';

const require = createRequire(import.meta.url);

/** The description of a built node, loaded as n8n loads it: the file exports a class with the file's name. */
function describeNode(file: string) {
	const classes: Record<string, new () => INodeType> = require(join(root, file));
	const { description } = new classes[basename(file, '.node.js')]();
	const { displayName, name, version, defaultVersion } = description;
	return { displayName, name, version: defaultVersion ?? [version].flat().at(-1) ?? 1 };
}

/**
 * Adds the package to the two tables behind n8n's "Settings > Community nodes", as n8n's own installer does
 * (`persistPackageWithNodes` of its installed packages repository). The database must exist, and n8n must not be running.
 */
export function recordInstalledPackage(userFolder: string): void {
	const { name, version, author, n8n } = manifest;
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'));
	const run = (statement: string, ...values: (string | number)[]) =>
		database.prepare(statement).run(...values);
	try {
		run('BEGIN');
		run('DELETE FROM installed_nodes WHERE package = ?', name);
		run(
			`INSERT OR REPLACE INTO installed_packages
			(packageName, installedVersion, authorName, authorEmail, createdAt, updatedAt)
			VALUES (?, ?, ?, ?, datetime('now'), datetime('now'))`,
			...[name, version, author.name, author.email],
		);
		for (const node of n8n.nodes.map(describeNode)) {
			run(
				'INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
				...[node.displayName, `${name}.${node.name}`, node.version, name],
			);
		}
		run('COMMIT');
	} finally {
		database.close();
	}
}
