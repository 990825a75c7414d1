import { constants } from 'node:fs';
import { access, glob } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Where Debian keeps the servers of PostgreSQL, which are not on the path; one folder for each version. */
const DEBIAN_FOLDERS = '/usr/lib/postgresql/*/bin';

/**
 * Finds a program on the path, or where Debian installs it.
 *
 * @param debianPackage - Named in the error. @throws Error that names the package to install if the program is missing.
 */
export async function findProgram(name: string, debianPackage: string): Promise<string> {
	const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
	for await (const folder of glob(DEBIAN_FOLDERS)) folders.push(folder);
	for (const folder of folders) {
		const program = join(folder, name);
		const isThere = await access(program, constants.X_OK).then(
			() => true,
			() => false,
		);
		if (isThere) return program;
	}
	throw new Error(
		`"${name}" is not installed. Install the Debian package ${debianPackage}: apt-get install ${debianPackage}`,
	);
}
