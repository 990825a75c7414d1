import { formatUnits } from 'ethers';
import { PROGRAM } from '../config/program.mts';
import { connectChain } from '../identity.mts';
import { quantity } from '../rpc/values.mts';
import { createToken, listTokens, revokeToken, type Scope } from '../store/tokens.mts';
import { addUser, allUsers, allWallets, setDisabled, userById } from '../store/users.mts';
import { limitsIn } from './limits.mts';
import { openHome, unlock, type OpenHome } from './open-home.mts';
import { confirm, isInteractive } from './questions.mts';
import { LIMIT_OPTIONS, type Commands } from './command-line.mts';
import { UsageError } from './usage-error.mts';

const USER_ID = /^([A-Z][A-Z0-9_]*)-(.+)$/s;
/** Characters that nobody sees, or that look like the end of an ID; two users would seem to be one. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** What would break a line, or change the order in which one is shown. */
const NOT_OF_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const LONGEST_NAME = 200;
const LIFETIME = /^(\d+)([dh])$/;
const HOUR_MS = 3_600_000;
const MS_PER_UNIT: Record<string, number> = { d: 24 * HOUR_MS, h: HOUR_MS };

const SCOPES: Record<string, Scope[]> = {
	read: ['read'],
	'read,write': ['read', 'write'],
	operator: ['operator'],
};

/** @throws UsageError unless an option is one line */
function assertLine(text: string | undefined, option: string): void {
	if (text === undefined) return;
	if (text.trim() !== '' && text.length <= LONGEST_NAME && !NOT_OF_A_LINE.test(text)) return;
	throw new UsageError(
		`--${option} must be one line of at most ${LONGEST_NAME} characters, none of them invisible`,
	);
}

const print = (...columns: (string | number)[]) => process.stdout.write(`${columns.join('  ')}\n`);

/** When a token ends; undefined for never. */
function expiryOf(text: string | undefined): Date | undefined {
	if (text === undefined || text === 'never') return undefined;
	const [, count = '', unit = ''] = LIFETIME.exec(text) ?? [];
	const ms = Number(count) * (MS_PER_UNIT[unit] ?? 0);
	const expiry = new Date(Date.now() + ms);
	if (ms > 0 && !Number.isNaN(expiry.getTime())) return expiry;
	throw new UsageError(`"${text}" is not a lifetime: for example 90d, 12h or never`);
}

/**
 * What is known of a new wallet that the chain has seen before. After a restore it may be the wallet of a user whom the copy of the
 * database lacks.
 */
async function earlierUse(
	{ db, settings }: OpenHome,
	address: string,
): Promise<string | undefined> {
	try {
		const endpoints = await connectChain(db, settings.rpc);
		const ask = async (method: string) =>
			await endpoints.agreed(quantity, method, [address, 'latest']);
		const [count, balance] = [await ask('eth_getTransactionCount'), await ask('eth_getBalance')];
		if (count === 0n && balance === 0n) return undefined;
		return `This wallet was used before: ${count} transactions, ${formatUnits(balance)} native coin. Is it another person's? See "Restore" in the documentation`;
	} catch {
		return 'No endpoint answers, so it is not known whether this wallet was used before';
	}
}

/** The commands about users, their tokens and their wallets. */
export const commands: Commands = {
	async 'user add'(id, options, environment) {
		const [, provider = '', own = ''] = USER_ID.exec(id) ?? [];
		if (provider === '') {
			throw new UsageError(
				`"${id}" is not a user ID: it looks like LOCAL-anna, with the provider in upper case`,
			);
		}
		if (UNSEEN.test(id)) {
			const shown = JSON.stringify(id.replace(new RegExp(UNSEEN, 'gu'), '·'));
			throw new UsageError(
				`${shown} is not a user ID: it has a space or an invisible character (·)`,
			);
		}
		assertLine(options.name, 'name');
		assertLine(options.email, 'email');
		await using open = await openHome(environment);
		const signer = await unlock(open, environment);
		const user = { id, provider, username: options.name ?? own, email: options.email ?? null };
		const { address } = await addUser(open.db, user, (index) => signer.addressOf(`seed:${index}`));
		const warning = await earlierUse(open, address);
		if (warning !== undefined) process.stderr.write(`${warning}\n`);
		print(`User ${id} has the wallet`, address);
	},

	async 'user list'(_argument, _options, environment) {
		await using open = await openHome(environment);
		for (const user of await allUsers(open.db)) {
			print(user.id, user.address, user.username, ...(user.disabled_at ? ['disabled'] : []));
		}
	},

	async 'user disable'(id, _options, environment) {
		await using open = await openHome(environment);
		if (!(await setDisabled(open.db, id, true))) throw new UsageError(`There is no user ${id}`);
		print(`User ${id} is disabled; the wallet and its money remain`);
	},

	async 'user enable'(id, _options, environment) {
		await using open = await openHome(environment);
		if (!(await setDisabled(open.db, id, false))) throw new UsageError(`There is no user ${id}`);
		print(`User ${id} is enabled: access tokens that were not revoked count again`);
	},

	async 'token create'(userId, options, environment) {
		const { scope = 'read,write' } = options;
		if (!Object.hasOwn(SCOPES, scope)) {
			throw new UsageError(`"${scope}" is not a scope: read, read,write, or operator`);
		}
		const scopes = SCOPES[scope] ?? [];
		const limit = LIMIT_OPTIONS.find((name) => options[name] !== undefined);
		if (limit !== undefined && !scopes.includes('write')) {
			throw new UsageError(`The scope "${scope}" does not write, so it takes no --${limit}`);
		}
		const expiresAt = expiryOf(options.expires);
		await using open = await openHome(environment);
		const user = await userById(open.db, userId);
		if (!user) throw new UsageError(`There is no user ${userId}`);
		if (user.disabled_at !== null) {
			throw new UsageError(`User ${userId} is disabled: ${PROGRAM} user enable ${userId}`);
		}
		const limits = await limitsIn(open, options);
		const { token } = await createToken(open.db, userId, { scopes, expiresAt, limits });
		process.stderr.write('The access token is shown only once:\n');
		print(token);
	},

	async 'token list'(userId, _options, environment) {
		await using open = await openHome(environment);
		for (const token of await listTokens(open.db, userId || undefined)) {
			const { id, user_id: user, prefix, scopes, expires_at: expires, revoked_at: revoked } = token;
			const state = revoked ? 'revoked' : expires ? `until ${expires}` : 'without end';
			const limited = token.limits === null ? [] : ['limited'];
			print(id, user, `${prefix}...`, scopes.replace(' ', ','), state, ...limited);
		}
	},

	async 'token revoke'(id, _options, environment) {
		await using open = await openHome(environment);
		if (!(await revokeToken(open.db, id))) throw new UsageError(`There is no valid token ${id}`);
		print(`Token ${id} is revoked`);
	},

	async 'wallet list'(_argument, _options, environment) {
		await using open = await openHome(environment);
		for (const {
			source,
			address,
			next_nonce: nonce,
			state,
			closed_reason: reason,
		} of await allWallets(open.db)) {
			print(source, address, `next nonce ${nonce}`, state, ...(reason === null ? [] : [reason]));
		}
	},

	/** Prints the private key of a user's wallet, after two confirmations. */
	async 'wallet export'(userId, options, environment) {
		await using open = await openHome(environment);
		const user = await userById(open.db, userId);
		if (!user) throw new UsageError(`There is no user ${userId}`);
		if (!options.yes) {
			if (!isInteractive()) throw new UsageError('The export of a private key needs --yes');
			const questions = [
				`Print the private key of ${user.address}? Whoever sees it has the money.`,
				'A transaction signed elsewhere closes the wallet here. Print the key now?',
			];
			for (const question of questions) {
				if (!(await confirm(question))) throw new UsageError('Nothing was printed');
			}
		}
		const signer = await unlock(open, environment);
		print(signer.exportKey(user.source));
	},
};
