import { InvalidInputError } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { ArgumentValue, Resolve } from './argument-value';
import { checkArgument } from './argument-value';
import type { ContractFunction } from './function';
import { memberKeys } from './function';
import { membersOf, structureOf } from './source/members';
import type { TokenFacts, TokenQuestion } from './token-amount';
import { questionsOf, tokensToBaseUnits } from './token-amount';
import { knownParameters } from './token-standards';

/** What was looked up for values. */
export interface Known {
	/** Wallet address by user ID, for user IDs that are given for an address (see `collectLookUps`). */
	readonly addresses?: ReadonlyMap<string, string>;
	/** What the called contract says of itself, for amounts in whole tokens (see `collectLookUps`). */
	readonly token?: TokenFacts;
}

/** Options of `encodeArguments`. */
export interface EncodeOptions extends Known {
	/** The node parameter that holds the arguments, for errors about all of them. */
	readonly parameter?: string;
}

/** What has to be looked up for the arguments of a call. */
export interface LookUps {
	/** User IDs that are given for an address, at any depth, each once. */
	readonly userIds: readonly string[];
	/** What to ask the called contract, each once. */
	readonly token: readonly TokenQuestion[];
}

const NO_ADDRESSES: ReadonlyMap<string, string> = new Map();
const NO_FACTS: TokenFacts = { address: 'that is called' };
/** Placeholder for the address of a user while the IDs are only collected. */
const ANY_ADDRESS = `0x${'0'.repeat(40)}`;

/**
 * The name of each argument in labels and errors: its own, or its position if it has none.
 *
 * @example argumentLabels(parseSignature('transfer(address to, uint256)')) // ['to', 'argument 2']
 */
export function argumentLabels(fn: ContractFunction): string[] {
	return memberKeys(fn.inputs).map((key, index) =>
		key === String(index) ? `argument ${index + 1}` : key,
	);
}

function checkAll(
	fn: ContractFunction,
	args: unknown,
	parameter: string,
	resolve: Resolve,
): ArgumentValue[] {
	const isAbsent = args === undefined || args === null || args === '';
	const values = membersOf(isAbsent ? [] : structureOf(args, parameter), fn.inputs, parameter);
	const labels = argumentLabels(fn);
	const known = knownParameters(fn);
	return fn.inputs.map((input, index) => {
		const place = labels[index] ?? String(index);
		const isTokenAmount = known[index]?.is === 'amount';
		return checkArgument(values[index], input, { place, isTokenAmount }, resolve);
	});
}

/** Text unchanged; anything else as JSON, in which integers are already strings. */
function toText(value: ArgumentValue): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Puts what was looked up in its place.
 *
 * @example resolveBy({ addresses: new Map([['DISCORD-1', '0xd8…']]) }).user('DISCORD-1', 'to') // '0xd8…'
 */
export function resolveBy({ addresses = NO_ADDRESSES, token = NO_FACTS }: Known): Resolve {
	return {
		user: (userId, path) => {
			const wallet = addresses.get(userId);
			if (wallet !== undefined) return wallet;
			throw new InvalidInputError({
				parameter: path,
				value: userId,
				message: `No wallet address is known for the user ${quote(userId)}`,
				hint: 'Check the user id, or give an address: 0x and 40 hexadecimal digits',
			});
		},
		tokens: (amount, path) => tokensToBaseUnits(amount, token, path),
	};
}

/**
 * Checks the arguments of a call against their types and encodes each as the string that the `args` field of the request
 * takes (interface, sections 4.5 and 4.6): integers in decimal, `true` or `false`, `0x` hexadecimal, text unchanged,
 * arrays and tuples as JSON lists with integers as strings.
 *
 * An integer may carry a unit (`1.5 ether`, see `parseAmount`) or be an amount in tokens of the called contract (`12.5 token`,
 * `12.5 SUSD`); an array or tuple may be given as JSON text; a tuple with named members may be an object; an address may be a
 * user ID that `addresses` contains.
 *
 * @param args the arguments in order, or an object by parameter name, or either as JSON text; absent if the
 * function takes none
 * @throws InvalidInputError whose `parameter` is the exact place and type: `recipients[2].amount (uint96)`.
 * @example
 * const fn = parseSignature('pay(address to, uint96[] amounts)');
 * const wallet = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
 * encodeArguments(fn, { to: 'DISCORD-1', amounts: ['5', '20 gwei'] }, { addresses: new Map([['DISCORD-1', wallet]]) })
 * // ['0x…', '["5","20000000000"]']
 */
export function encodeArguments(
	fn: ContractFunction,
	args: unknown,
	options: EncodeOptions = {},
): string[] {
	return checkAll(fn, args, options.parameter ?? 'args', resolveBy(options)).map(toText);
}

/**
 * What has to be looked up for values, found by checking them.
 *
 * @param check checks the values, and throws when one is refused
 * @example lookUpsOf(({ user }) => user('DISCORD-1', 'to')).userIds // ['DISCORD-1']
 */
export function lookUpsOf(check: (resolve: Resolve) => void): LookUps {
	const userIds = new Set<string>();
	const token = new Set<TokenQuestion>();
	check({
		user: (userId) => {
			userIds.add(userId);
			return ANY_ADDRESS;
		},
		tokens: (amount) => {
			for (const question of questionsOf(amount)) token.add(question);
			// The least that it can be: with as many decimals as it has places.
			return amount.digits;
		},
	});
	return { userIds: [...userIds], token: [...token] };
}

/**
 * What has to be looked up for a call, which the caller then passes to `encodeArguments`. All arguments are checked first, so
 * that nothing is looked up for a call that is refused anyway.
 *
 * @throws InvalidInputError as `encodeArguments` does.
 * @example collectLookUps(parseSignature('pay(address[] to)'), { to: ['DISCORD-1', 'DISCORD-1'] }).userIds // ['DISCORD-1']
 * @example collectLookUps(parseSignature('burn(uint256)'), ['12.5 SUSD']).token // ['decimals', 'symbol']
 */
export function collectLookUps(
	fn: ContractFunction,
	args: unknown,
	options: EncodeOptions = {},
): LookUps {
	return lookUpsOf((resolve) => void checkAll(fn, args, options.parameter ?? 'args', resolve));
}
