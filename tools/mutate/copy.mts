import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { root } from '../files/paths.mts';

/** What is not copied: packages, what builds and runs leave behind, history. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.local', '.git']);

/** Where packages are installed. */
const MEMBERS = ['', 'sandbox', 'tools'];

/** Contracts that were compiled before, so that the service starts at once. */
const COMPILED = join('.local', 'contracts');

/** A copy of the repository in which files can be changed. */
export interface Copy {
	readonly directory: string;
	remove(): Promise<void>;
}

/** Copies the repository to a temporary directory, beside the packages that are installed here. */
export async function copyRepository(): Promise<Copy> {
	const directory = await mkdtemp(join(tmpdir(), 'wallet-service-mutate-'));
	await cp(root, directory, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
	for (const member of MEMBERS) {
		const modules = join(member, 'node_modules');
		await symlink(join(root, modules), join(directory, modules));
	}
	await mkdir(join(directory, '.local', 'tmp'), { recursive: true });
	if (existsSync(join(root, COMPILED))) {
		await cp(join(root, COMPILED), join(directory, COMPILED), { recursive: true });
	}
	return {
		directory,
		remove: async () => {
			// What the tests had started may write its last words while it ends.
			await rm(directory, { recursive: true, force: true, maxRetries: 10 });
		},
	};
}
