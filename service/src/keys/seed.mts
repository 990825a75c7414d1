import { scrypt as nodeScrypt, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { decryptKeystoreJson, encryptKeystoreJson, getBytes, HDNodeWallet, Mnemonic } from 'ethers';
import { keccak256, scrypt, type TransactionLike } from 'ethers';
import { assertPrivate } from '../config/private-file.mts';
import { encodeTransaction } from './encoding.mts';
import type { Signer } from './signer.mts';

/** Phrases that everybody knows, from the documents and the tests of common tools. */
const PUBLIC_PHRASES = new Set([
	// ganache --deterministic, and those of its documents.
	'myth like bonus scare over problem client lizard pioneer submit female collect',
	'candy maple cake sugar pudding cream honey rich smooth crumble sweet treat',
	// Documents and tests of ethers, Truffle, Substrate and others.
	'announce room limb pattern dry unit scale effort smooth jazz weasel alcohol',
	'radar blur cabbage chef fix engine embark joy scheme fiction master release',
	'concert load couple harbor equip island argue ramp clarify fence smart topic',
	'bottom drive obey lake curtain smoke basket hold race lonely fit walk',
	'test walk nut penalty hip pave soap entry language right filter choice',
]);

/**
 * Whether a phrase is one that tools use as an example: in them, one word is repeated up to the last one, as in
 * `test test ... junk` of anvil and hardhat, or all bytes are the same, as in the examples of BIP-39.
 */
function isPublic(phrase: string): boolean {
	const isRepeated = new Set(phrase.split(' ').slice(0, -1)).size === 1;
	const areSame = new Set(getBytes(Mnemonic.fromPhrase(phrase).entropy)).size === 1;
	return isRepeated || areSame || PUBLIC_PHRASES.has(phrase);
}

/** Entropy of 24 words, in bytes. */
const ENTROPY_BYTES = 32;

const COIN = "m/44'/60'";
const SOURCE = /^seed:(\d+)$/;

// Node.js derives keys four times faster than ethers.
const deriveKey = promisify<Buffer, Buffer, number, object, Buffer>(nodeScrypt);
scrypt.register(async (password, salt, N, r, p, length) => {
	const maxmem = 256 * N * r;
	return await deriveKey(Buffer.from(password), Buffer.from(salt), length, { N, r, p, maxmem });
});

/** A new recovery phrase of 24 words. */
export function newPhrase(): string {
	return Mnemonic.fromEntropy(randomBytes(ENTROPY_BYTES)).phrase;
}

/** @throws Error unless the phrase is a valid one that only its owner knows */
export function checkPhrase(text: string): string {
	const phrase = text.trim().toLowerCase().split(/\s+/).join(' ');
	if (!Mnemonic.isValidMnemonic(phrase))
		throw new Error('This is not a recovery phrase: a word is wrong');
	if (isPublic(phrase))
		throw new Error('This recovery phrase is public: everybody can spend its money');
	return phrase;
}

/**
 * The wallets of one recovery phrase, at m/44'/60'/i'/0/0: with the index hardened, a key that leaks
 * reveals no other. The phrase restores them all, without any file of the service.
 */
export class SeedSigner implements Signer {
	readonly #root: HDNodeWallet;
	readonly #wallets = new Map<number, HDNodeWallet>();

	constructor(phrase: string) {
		this.#root = HDNodeWallet.fromPhrase(phrase, undefined, COIN);
	}

	async addressOf(source: string): Promise<string> {
		return this.#walletOf(source).address;
	}

	async sign(source: string, transaction: TransactionLike): Promise<string> {
		const digest = keccak256(encodeTransaction(transaction));
		const signature = this.#walletOf(source).signingKey.sign(digest);
		return `0x${encodeTransaction(transaction, signature).toString('hex')}`;
	}

	/** The private key of a wallet, for its export. */
	exportKey(source: string): string {
		return this.#walletOf(source).privateKey;
	}

	#walletOf(source: string): HDNodeWallet {
		const index = SOURCE.exec(source)?.[1];
		if (index === undefined) throw new Error(`There is no key for ${source}`);
		const known = this.#wallets.get(Number(index));
		if (known) return known;
		const wallet = this.#root.derivePath(`${index}'/0/0`);
		this.#wallets.set(Number(index), wallet);
		return wallet;
	}
}

/** The phrase as a Web3 Secret Storage file. */
export async function encryptPhrase(phrase: string, password: string): Promise<string> {
	const path = `${COIN}/0'/0/0`;
	const { address, privateKey } = HDNodeWallet.fromPhrase(phrase, undefined, path);
	const { entropy } = Mnemonic.fromPhrase(phrase);
	const account = { address, privateKey, mnemonic: { entropy, path, locale: 'en' } };
	return await encryptKeystoreJson(account, password, { scrypt: { N: 131_072 } });
}

/**
 * Reads and decrypts a seed file.
 *
 * @throws Error if it is missing, readable by others, or the password is wrong
 */
export async function unlockSeed(file: string, password: string): Promise<SeedSigner> {
	await assertPrivate(file, 'key file').catch((error: NodeJS.ErrnoException) => {
		if (error.code === undefined) throw error;
		throw new Error(`The key file ${file} is missing: restore it, or the service from its phrase`);
	});
	const json = await readFile(file, 'utf8');
	let entropy: string | undefined;
	try {
		({ entropy } = (await decryptKeystoreJson(json, password)).mnemonic ?? {});
	} catch (cause) {
		throw new Error(`The password does not open the key file ${file}`, { cause });
	}
	if (entropy === undefined) throw new Error(`The key file ${file} holds no recovery phrase`);
	return new SeedSigner(Mnemonic.fromEntropy(getBytes(entropy)).phrase);
}
