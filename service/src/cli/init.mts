import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { randomInt } from 'node:crypto';
import { formatEther } from 'ethers';
import { checkSettings, homeOf, SYMBOL, urlsIn, writeSettings } from '../config/settings.mts';
import type { Home } from '../config/settings.mts';
import { assertPrivate } from '../config/private-file.mts';
import { PROGRAM } from '../config/program.mts';
import { readTextFile } from '../config/text-file.mts';
import { passwordFrom } from '../keys/password.mts';
import { checkPhrase, encryptPhrase, newPhrase, SeedSigner } from '../keys/seed.mts';
import { connectChain, networkFor, silentAmong } from '../identity.mts';
import type { Network } from '../rpc/networks.mts';
import { Endpoints } from '../rpc/endpoints.mts';
import { UNKNOWN, UNKNOWN_COIN } from '../rpc/networks.mts';
import { markUsedBefore } from '../store/cursors.mts';
import { openDatabase, tryDatabase } from '../store/open.mts';
import type { Commands, Run, Values } from './command-line.mts';
import { bindSeed } from './open-home.mts';
import { askPassword, askText, isInteractive } from './questions.mts';
import { UsageError } from './usage-error.mts';

const LEAST_CHARACTERS = 8;
const WORDS_ASKED_BACK = 3;

const print = (text: string) => process.stdout.write(`${text}\n`);

/** An option, or the answer to a question if a person may be asked. */
async function given(
	value: string | undefined,
	{ yes }: Values,
	name: string,
	ask: () => Promise<string>,
): Promise<string> {
	if (value !== undefined) return value;
	if (yes || !isInteractive()) throw new UsageError(`${name} is missing`);
	return await ask();
}

async function askNewPassword(): Promise<string> {
	const password = await askPassword('New password for the key file');
	if ((await askPassword('The same password again')) === password) return password;
	throw new UsageError('The passwords differ; nothing was changed');
}

/** Shows the phrase, and asks for some of its words, so that nobody goes on without a copy on paper. */
async function showPhrase(phrase: string, isAsked: boolean): Promise<void> {
	const words = phrase.split(' ');
	print(
		'\nRecovery phrase. Write it down; it is shown only once, and whoever has it has the money:\n',
	);
	if (!isAsked) {
		print(`${phrase}\n`);
		return;
	}
	for (const [index, word] of words.entries()) print(`${String(index + 1).padStart(4)}  ${word}`);
	const places = new Set<number>();
	while (places.size < WORDS_ASKED_BACK) places.add(randomInt(words.length));
	for (const place of places) {
		await askText(`Word ${place + 1}`, (text) => {
			return text.trim().toLowerCase() === words[place] ? undefined : 'That is another word';
		});
	}
}

/** Asks a person how much the gas of a write may cost; otherwise, the network's default holds. */
async function askGasCost({ symbol, maxGasCost }: Network, { yes }: Values) {
	if (yes || !isInteractive()) return {};
	const usual = formatEther(maxGasCost);
	const cost = await askText(`Most ${symbol} that the gas of one write may cost`, validCost, usual);
	return { maxGasCost: cost };
}

function validCost(text: string): string | undefined {
	return /^\d{1,9}(\.\d{1,9})?$/.test(text) && Number(text) > 0
		? undefined
		: 'Enter an amount such as 0.02';
}

async function assertNew({ folder }: Home): Promise<void> {
	const files = await readdir(folder).catch(() => []);
	if (files.length > 0)
		throw new UsageError(`${folder} is not empty: set WALLET_HOME to another folder`);
}

/** Creates the files of a service. If one cannot be created, none remains. */
async function create(
	home: Home,
	settings: { rpc: string[]; database?: string; symbol?: string; maxGasCost?: string },
	phrase: string,
	{ password, isNew }: { password: string; isNew: boolean },
): Promise<void> {
	const isFolderNew = (await mkdir(home.folder, { recursive: true, mode: 0o700 })) !== undefined;
	try {
		// A new volume of a container, for example, can be read by others. One of another user stays as it is.
		await chmod(home.folder, 0o700).catch(() => undefined);
		await assertPrivate(home.folder, 'data folder');
		await writeFile(home.keys, await encryptPhrase(phrase, password), { mode: 0o600, flag: 'wx' });
		await chmod(home.keys, 0o600);
		const db = await openDatabase(settings.database ?? home.database);
		try {
			await connectChain(db, settings.rpc);
			await bindSeed(db, new SeedSigner(phrase));
			if (!isNew) await markUsedBefore(db);
		} finally {
			await db.destroy();
		}
		await writeSettings(home, settings);
	} catch (error) {
		const files = [
			home.keys,
			home.config,
			...['', '-wal', '-shm'].map((end) => home.database + end),
		];
		await Promise.all(files.map((file) => rm(file, { force: true })));
		if (isFolderNew) await rm(home.folder, { recursive: true, force: true });
		throw error;
	}
}

/** The setting for the symbol of the native coin, where the network's is not known; nothing if nobody can be asked. */
async function askSymbol({ yes }: Values): Promise<{ symbol?: string }> {
	if (yes || !isInteractive()) {
		process.stderr.write(`${UNKNOWN_COIN}\n`);
		return {};
	}
	const symbol = await askText("Symbol of the network's native coin", (text) =>
		SYMBOL.test(text) ? undefined : 'Up to 11 letters and digits, for example ETH',
	);
	return { symbol };
}

/** Creates a service: its settings, its key file and its database. */
const init: Run = async (_argument, options, environment) => {
	const home = homeOf(environment);
	await assertNew(home);
	const urls = urlsIn(
		await given(options.rpc ?? environment.RPC_URL, options, '--rpc URL', () =>
			askText('JSON-RPC endpoint of the network', (text) => (text ? undefined : 'Enter a URL')),
		),
	);
	const database = environment.DATABASE_URL;
	const basis = { rpc: urls, ...(database ? { database } : {}) };
	checkSettings(basis);
	if (database) await tryDatabase(database);
	const endpoints = await Endpoints.connect(urls);
	for (const problem of await silentAmong(endpoints, urls)) process.stderr.write(`${problem}\n`);
	const { chainId } = endpoints.identity;
	const known = networkFor(chainId, {});
	const coin = known.symbol === UNKNOWN ? await askSymbol(options) : {};
	const network = networkFor(chainId, coin);
	const settings = { ...basis, ...coin, ...(await askGasCost(network, options)) };
	const file = options['password-file'] ?? environment.WALLET_PASSWORD_FILE;
	const password =
		file === undefined
			? await given(undefined, options, '--password-file FILE', askNewPassword)
			: await passwordFrom(file);
	if (password.length < LEAST_CHARACTERS) {
		throw new UsageError(`The password needs at least ${LEAST_CHARACTERS} characters`);
	}
	const phraseFile = options['phrase-file'];
	const isNew = phraseFile === undefined;
	const phrase = isNew ? newPhrase() : checkPhrase(await readTextFile(phraseFile));
	print(`Network: ${network.name} (chain ${chainId})`);
	if (isNew) await showPhrase(phrase, !options.yes && isInteractive());
	await create(home, settings, phrase, { password, isNew });
	print(`Created the wallet service in ${home.folder}`);
	print(
		`First wallet address of this seed, to compare later: ${await new SeedSigner(phrase).addressOf('seed:0')}`,
	);
	print(`Next: ${PROGRAM} user add LOCAL-<name>`);
};

export const commands: Commands = { init };
