import { stat } from 'node:fs/promises';
import { PROGRAM } from '../config/program.mts';
import { homeOf } from '../config/settings.mts';
import { readTextFile } from '../config/text-file.mts';
import { findPassword } from '../keys/password.mts';
import { checkPhrase, SeedSigner, unlockSeed } from '../keys/seed.mts';
import { compareChecksum, copyDatabase, readCopy } from '../store/backup.mts';
import { NEWEST_VERSION } from '../store/migrations.mts';
import type { Commands, Values } from './command-line.mts';
import { openHome } from './open-home.mts';
import { askPassword, askText, isInteractive } from './questions.mts';
import { UsageError } from './usage-error.mts';

const print = (name: string, value: string) => process.stdout.write(`${name.padEnd(14)}${value}\n`);

/** The seed that a copy is compared with: of a phrase in a file, of the key file, or of a phrase that is typed in. */
async function seedFor(
	{ 'phrase-file': phraseFile }: Values,
	environment: NodeJS.ProcessEnv,
): Promise<SeedSigner> {
	if (phraseFile !== undefined) {
		return new SeedSigner(checkPhrase(await readTextFile(phraseFile)));
	}
	const { keys } = homeOf(environment);
	const warn = (text: string) => process.stderr.write(`${text}\n`);
	const ask = isInteractive() ? () => askPassword('Password of the key file') : undefined;
	if (await stat(keys).catch(() => undefined)) {
		return await unlockSeed(keys, await findPassword(environment, warn, ask));
	}
	if (!ask) throw new UsageError(`There is no key file ${keys}: use --phrase-file FILE`);
	return new SeedSigner(checkPhrase(await askText('Recovery phrase', () => undefined)));
}

export const commands: Commands = {
	async backup(file, _options, environment) {
		await using open = await openHome(environment);
		await copyDatabase(open.db, open.settings.database, file);
		const { size } = await stat(file);
		print('Copied', `${file}, ${Math.ceil(size / 1024)} KiB`);
		print('Next', `${PROGRAM} verify-backup ${file}`);
	},

	/** Reads a copy and compares it with the keys. Changes nothing, and needs no service. */
	async 'verify-backup'(file, options, environment) {
		const { kind, meta, wallets, counts } = await readCopy(file);
		const isCompared = await compareChecksum(file);
		const version = Number(meta.get('version'));
		if (!(version >= 1)) throw new Error(`${file} is not a copy of a wallet service's database`);
		if (version > NEWEST_VERSION) {
			throw new Error(`${file} has version ${version}, this program only knows ${NEWEST_VERSION}`);
		}
		const signer = await seedFor(options, environment);
		const bound = { source: 'seed:0', address: meta.get('first_address') ?? '' };
		for (const { source, address } of [bound, ...wallets]) {
			const derived = await signer.addressOf(source);
			if (derived === address) continue;
			throw new Error(`The keys do not fit: ${source} is ${derived}, in the copy ${address}`);
		}
		const { users, tokens, writes } = counts;
		const checksum = isCompared ? 'as on the day it was made' : 'no SHA-256 beside it to compare';
		print('Intact', `${kind}, version ${version}, ${checksum}`);
		print('Network', `chain ${meta.get('chain_id')}, first block ${meta.get('genesis')}`);
		print('Contents', `${users} users, ${tokens} tokens, ${writes} writes`);
		print(
			'Keys',
			`fit all ${wallets.length} wallets; the first one of the seed is ${bound.address}`,
		);
	},
};
