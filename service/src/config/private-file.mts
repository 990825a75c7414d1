import { stat } from 'node:fs/promises';

/** Where containers find secrets: whoever is in the container may read them. */
const OF_CONTAINER = '/run/secrets/';

/**
 * Checks that nobody else on this machine can read or change a file or folder.
 *
 * @param what the file in words
 * @throws Error saying how to close it; the system's error if there is no such file
 * @example await assertPrivate('/etc/wallet-service/password', 'password file')
 */
export async function assertPrivate(file: string, what: string): Promise<void> {
	const found = await stat(file);
	const isOpen = (found.mode & 0o077) !== 0;
	if (process.platform === 'win32' || file.startsWith(OF_CONTAINER) || !isOpen) return;
	const mode = found.isDirectory() ? 700 : 600;
	throw new Error(`The ${what} ${file} can be read by others: chmod ${mode} ${file}`);
}
