import { InvalidInputError } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { ArgumentValue, ResolveUser } from './argument-value';
import { checkArgument } from './argument-value';
import type { ContractFunction } from './function';
import { memberKeys } from './function';
import { membersOf, structureOf } from './members';

/** Options of `encodeArguments`. */
export interface EncodeOptions {
	/** Wallet address by user ID, for user IDs that are given for an address (see `collectUserIds`). */
	readonly addresses?: ReadonlyMap<string, string>;
	/** The node parameter that holds the arguments, for errors about all of them. */
	readonly parameter?: string;
}

const NO_ADDRESSES: ReadonlyMap<string, string> = new Map();
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
	resolveUser: ResolveUser,
): ArgumentValue[] {
	const isAbsent = args === undefined || args === null || args === '';
	const values = membersOf(isAbsent ? [] : structureOf(args, parameter), fn.inputs, parameter);
	const labels = argumentLabels(fn);
	return fn.inputs.map((input, index) =>
		checkArgument(values[index], input, labels[index] ?? String(index), resolveUser),
	);
}

/** Text unchanged; anything else as JSON, in which integers are already strings. */
function toText(value: ArgumentValue): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Checks the arguments of a call against their types and encodes each as the string that the `args` field of the request
 * takes (interface, sections 4.5 and 4.6): integers in decimal, `true` or `false`, `0x` hexadecimal, text unchanged,
 * arrays and tuples as JSON lists with integers as strings.
 *
 * An integer may carry a unit (`1.5 ether`, see `parseAmount`); an array or tuple may be given as JSON text; a tuple
 * with named members may be an object; an address may be a user ID that `addresses` contains.
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
	const { addresses = NO_ADDRESSES, parameter = 'args' } = options;
	const resolveUser: ResolveUser = (userId, path) => {
		const wallet = addresses.get(userId);
		if (wallet !== undefined) return wallet;
		throw new InvalidInputError({
			parameter: path,
			value: userId,
			message: `No wallet address is known for the user ${quote(userId)}`,
			hint: 'Check the user id, or give an address: 0x and 40 hexadecimal digits',
		});
	};
	return checkAll(fn, args, parameter, resolveUser).map(toText);
}

/**
 * The user IDs that are given for an address, at any depth, each once. The caller looks up their addresses and passes
 * them to `encodeArguments`. All arguments are checked first, so that nothing is looked up for a call that is refused
 * anyway.
 *
 * @throws InvalidInputError as `encodeArguments` does.
 * @example collectUserIds(parseSignature('pay(address[] to)'), { to: ['DISCORD-1', 'DISCORD-1'] }) // ['DISCORD-1']
 */
export function collectUserIds(
	fn: ContractFunction,
	args: unknown,
	options: EncodeOptions = {},
): string[] {
	const userIds = new Set<string>();
	checkAll(fn, args, options.parameter ?? 'args', (userId) => {
		userIds.add(userId);
		return ANY_ADDRESS;
	});
	return [...userIds];
}
