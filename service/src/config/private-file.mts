import { stat } from 'node:fs/promises';

/** Where containers find secrets: whoever is in the container may read them. */
const OF_CONTAINER = '/run/secrets/';

/**
 * Checks that nobody else on this machine can read a file.
 *
 * @param what the file in words
 * @throws Error saying how to close it; the system's error if there is no such file
 * @example await assertPrivate('/etc/wallet-service/password', 'password file')
 */
export async function assertPrivate(file: string, what: string): Promise<void> {
	const { mode } = await stat(file);
	if (process.platform === 'win32' || file.startsWith(OF_CONTAINER) || (mode & 0o077) === 0) return;
	throw new Error(`The ${what} ${file} can be read by others: chmod 600 ${file}`);
}
