import { InvalidInputError } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { ArgumentValue, ResolveUser } from './argument-value';
import { checkArgument } from './argument-value';
import type { ContractFunction } from './function';
import { memberKeys } from './function';
import { membersOf, structureOf } from './members';

/** What `encodeArguments` takes beside the arguments. */
export interface EncodeOptions {
	/** Wallet addresses by user id, for user ids that stand where an address belongs (see `collectUserIds`). */
	readonly addresses?: ReadonlyMap<string, string>;
	/** The node parameter that holds the arguments, for errors that concern them all. */
	readonly parameter?: string;
}

const NO_ADDRESSES: ReadonlyMap<string, string> = new Map();
/** Stands in for a user's address while the ids are only collected. */
const ANY_ADDRESS = `0x${'0'.repeat(40)}`;

/** How an argument is called in a label or an error: its name, or its place when it has none. */
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

/** Text as it is; all else as JSON, in which integers are already texts. */
function toText(value: ArgumentValue): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Checks the arguments of a call against their types and encodes each as the text that the request's `args` takes
 * (interface, sections 4.5 and 4.6): integers in decimal, `true` or `false`, `0x` hexadecimal, texts as they are,
 * arrays and tuples as JSON lists with integers as texts.
 *
 * An integer may carry a unit (`1.5 ether`, see `parseAmount`); an array or tuple may be given as JSON text; a tuple
 * with named members may be an object; an address may be a user id that `addresses` holds.
 *
 * @param args the arguments in order, or an object by parameter name, or either as JSON text; nothing when the
 * function takes none
 * @throws InvalidInputError whose `parameter` is the exact place and type: `recipients[2].amount (uint96)`.
 * @example
 * const fn = parseSignature('pay(address to, uint96[] amounts)');
 * encodeArguments(fn, { to: 'DISCORD-1', amounts: ['5', '20 gwei'] }, { addresses: new Map([['DISCORD-1', wallet]]) });
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
 * The user ids that stand where an address belongs, nested ones too, each once: the caller looks their addresses up and
 * hands them to `encodeArguments`. All arguments are checked first, so that nothing is looked up for a call that is
 * refused anyway.
 *
 * @throws InvalidInputError as `encodeArguments` does.
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
