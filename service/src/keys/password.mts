import { join, sep } from 'node:path';
import { assertPrivate } from '../config/private-file.mts';
import { readTextFile } from '../config/text-file.mts';

/**
 * Reads a password from a file; a line break at its end is not part of it.
 *
 * @param credentials the folder of systemd's credentials, which systemd closes: the mode of a file there may show the rights
 * of the service's own user as those of a group
 * @throws Error if it is empty, unreadable, or readable by others
 */
export async function passwordFrom(file: string, credentials?: string): Promise<string> {
	const isOfSystemd = credentials && file.startsWith(credentials + sep);
	const read = async () => {
		if (!isOfSystemd) await assertPrivate(file, 'password file');
		return await readTextFile(file);
	};
	const text = await read().catch((error: NodeJS.ErrnoException) => {
		if (error.code === undefined) throw error;
		throw new Error(`The password file ${file} cannot be read`);
	});
	const password = text.replace(/\r?\n$/, '');
	if (password === '') throw new Error(`The password file ${file} is empty`);
	return password;
}

/**
 * The password of the key file: from `WALLET_PASSWORD_FILE`, a systemd credential, `WALLET_PASSWORD` (with a warning), or
 * asked for.
 *
 * @throws Error if there is none
 */
export async function findPassword(
	environment: NodeJS.ProcessEnv,
	warn: (text: string) => void,
	ask: (() => Promise<string>) | undefined,
): Promise<string> {
	const { WALLET_PASSWORD_FILE: file, CREDENTIALS_DIRECTORY: folder } = environment;
	if (file) return await passwordFrom(file, folder);
	if (folder) return await passwordFrom(join(folder, 'wallet-password'), folder);
	if (environment.WALLET_PASSWORD) {
		warn('WALLET_PASSWORD can be read by others on this machine: WALLET_PASSWORD_FILE is safer');
		return environment.WALLET_PASSWORD;
	}
	if (ask) return await ask();
	throw new Error('There is no password: set WALLET_PASSWORD_FILE to a file that contains it');
}
