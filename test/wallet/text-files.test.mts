/** Settings, passwords and phrases in the encodings in which editors on Windows save them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HDNodeWallet } from 'ethers';
import { startNetwork } from '../../tools/wallet/network.mts';
import { inTests, useResources } from '../support/resources.mts';
import { emptyHome, run } from './support/command-line.mts';

const resources = useResources();
const network = inTests(beforeAll, async () => await resources.use(startNetwork(0)));

const MARK = '\uFEFF';
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** How a text can be saved. */
const READ: [name: string, encode: (text: string) => Buffer][] = [
	['UTF-8 with a mark', (text) => Buffer.from(MARK + text)],
	['UTF-16, little-endian', (text) => Buffer.from(MARK + text, 'utf16le')],
	['UTF-16, big-endian', (text) => swapped(MARK + text)],
];
const REFUSED: typeof READ = [
	['UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
	['Windows-1252', (text) => Buffer.from(`${text}é`, 'latin1')],
];

/** A service whose password and phrase are in files in UTF-8. */
async function created() {
	const { folder, env } = await emptyHome(resources);
	const { WALLET_PASSWORD_FILE: password = '', WALLET_HOME: home = '' } = env;
	const phrase = join(folder, 'phrase');
	await writeFile(phrase, HDNodeWallet.createRandom().mnemonic?.phrase ?? '');
	await writeFile(password, 'pässwörd 密码');
	const init = ['init', '--yes', '--rpc', network().rpcUrl, '--phrase-file', phrase];
	return { env, init, password, phrase, settings: join(home, 'config.json') };
}

async function convert(file: string, encode: (text: string) => Buffer): Promise<void> {
	await writeFile(file, encode(await readFile(file, 'utf8')));
}

test.each(READ)('%s is read, without the mark', async (_name, encode) => {
	const { env, init, password, phrase, settings } = await created();
	await convert(phrase, encode);
	expect((await run(init, env)).exitCode).toBe(0);
	await convert(settings, encode);
	await convert(password, encode);
	// The password was saved in UTF-8 when the key file was encrypted with it.
	const { exitCode, lines } = await run(['user', 'add', 'LOCAL-anna'], env);
	expect({ exitCode, lines }).toEqual({
		exitCode: 0,
		lines: [expect.stringMatching(/^User LOCAL-anna has the wallet/)],
	});
});

test.each(REFUSED)('%s is refused by name', async (_name, encode) => {
	const { env, init, password, phrase, settings } = await created();
	const refused = async (file: string, args: string[]) => {
		const before = await readFile(file);
		await convert(file, encode);
		const lines = [`${file} is not in UTF-8: save it in this encoding`];
		expect(await run(args, env)).toEqual({ exitCode: 1, lines });
		await writeFile(file, before);
	};
	await refused(phrase, init);
	await refused(password, init);
	expect((await run(init, env)).exitCode).toBe(0);
	await refused(settings, ['status']);
	await refused(password, ['user', 'add', 'LOCAL-anna']);
});
