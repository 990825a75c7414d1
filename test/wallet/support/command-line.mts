/** The command line of the wallet service, in data folders of its own. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import type { Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { walletCommand } from '../../../tools/wallet/installed-service.mts';

/** Runs a command. @returns the exit code and all lines of the output */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv) {
	const options = { env, extendEnv: false, stdin: 'ignore', reject: false, all: true } as const;
	const { exitCode, all } = await execa(
		process.execPath,
		[await walletCommand(), ...args],
		options,
	);
	return { exitCode, lines: all.split('\n') };
}

/** An environment whose data folder does not exist yet. */
export async function emptyHome(resources: Resources) {
	const { path: folder } = await resources.use(temporaryFolder('home'));
	const password = join(folder, 'password');
	await writeFile(password, 'only for this test', { mode: 0o600 });
	const env = { ...process.env, WALLET_HOME: join(folder, 'home'), WALLET_PASSWORD_FILE: password };
	return { folder, env };
}
