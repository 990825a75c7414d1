import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { parseSignature } from '../../contract/source/signature';
import { refuseLookalike } from '../../contract/token-moves';
import { parseAddress } from '../../values/address';
import {
	inBaseUnits,
	isUnit,
	NATIVE_FORMS,
	parseWholeAmount,
	readWritten,
	toBaseUnits,
} from '../../values/amount';
import { keepingLast } from '../../values/caches';
import { InvalidInputError, refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { parseUserOrWallet, splitUserIds } from '../../values/user-id';

/** Decimal places of all token amounts here: the maximum, so that the decimals of any token fit. */
export const TOKEN_PLACES = 255;

/** Display name of the limits per token. */
export const TOKENS = 'Token Limits per Execution';

/** The spending limits of a credential for all workflows and agents that use it. */
export interface SpendingPolicy {
	readonly allowWrites: boolean;
	/** Lower-case addresses; empty allows every contract. */
	readonly contracts: readonly string[];
	/** Signatures with full types and no white space, or lower-case selectors; empty allows every function. */
	readonly functions: readonly string[];
	/** Lower-case addresses, or user IDs; empty allows every recipient. */
	readonly recipients: readonly string[];
	/** Limits by lower-case token address, with `TOKEN_PLACES` decimal places; empty sets no limit. */
	readonly tokenLimits: ReadonlyMap<string, bigint>;
	/** In wei; `undefined` sets no limit. */
	readonly maxValuePerCall: bigint | undefined;
	readonly maxValuePerExecution: bigint | undefined;
}

/** Gives the refusal of a field the code of an unreadable policy, which forbids all writes. */
function asUnreadable(error: unknown): unknown {
	if (!(error instanceof InvalidInputError)) return error;
	const { message, hint, parameter } = error;
	const place = ['Credential', parameter ?? []].flat();
	return new InvalidInputError({ message, hint, parameter: place, code: 'policy-unreadable' });
}

function readOrForbid<T>(read: () => T): T {
	try {
		return read();
	} catch (error) {
		throw asUnreadable(error);
	}
}

function refuseField(field: string, value: unknown, expected: string): never {
	const problem = `${quote(value)} is not ${expected}`;
	const hint =
		'An unreadable spending limit blocks all writes. The owner of the credential can correct this field';
	refuse(field, problem, hint);
}

/** Splits text into entries at line breaks, semicolons, and commas outside parentheses. */
function splitEntries(text: string): string[] {
	const entries = [''];
	let depth = 0;
	for (const character of text) {
		if (character === '(') depth += 1;
		if (character === ')') depth -= 1;
		const separates = character === '\n' || character === ';' || (character === ',' && depth <= 0);
		if (separates) entries.push('');
		else entries.push(`${entries.pop() ?? ''}${character}`);
	}
	return entries;
}

/** Reads the entries of a list field, which is a string, or a list of strings from an expression. */
function readList<T>(
	value: unknown,
	field: string,
	read: (entry: string, parameter: string) => T,
	parts = splitEntries,
): T[] {
	const texts: unknown[] = Array.isArray(value) ? value : [value];
	const split = (text: string): string[] =>
		parts(text)
			.map((entry) => entry.trim())
			.filter((entry) => entry !== '');
	// Expressions without a result leave only white space and separators. This must not count as empty, which allows all.
	const isReadable = (text: unknown): text is string =>
		typeof text === 'string' && (text === '' || split(text).length > 0);
	const entries = texts.flatMap((text) =>
		isReadable(text) ? split(text) : refuseField(field, value, 'a list of text entries'),
	);
	return entries.map((entry) => read(entry, field));
}

function readFunction(entry: string, parameter: string): string {
	if (/^0x[0-9a-f]{8}$/i.test(entry)) return entry.toLowerCase();
	const fn = parseSignature(entry, parameter);
	refuseLookalike(fn, parameter);
	return fn.key;
}

const readLowerCase = (entry: unknown, parameter: string): string =>
	parseAddress(entry, parameter).toLowerCase();

/** Every write reads the limits again; their text is parsed when it has changed. */
const contractsIn = keepingLast((allowed: unknown): readonly string[] =>
	readList(allowed, 'Allowed Contracts', readLowerCase),
);
const functionsIn = keepingLast((allowed: unknown): readonly string[] =>
	readList(allowed, 'Allowed Functions', readFunction),
);
// `splitEntries` is not used, because a user ID can contain parentheses.
const recipientsIn = keepingLast((allowed: unknown): readonly string[] =>
	readList(allowed, 'Allowed Recipients', readAllowedRecipient, (text) => text.split(/[\n,;]/)),
);

function readAllowedRecipient(entry: string, parameter: string): string {
	// A user ID can contain spaces, so that two on one line would count as one, whom nobody knows.
	if (splitUserIds(entry).length > 1)
		refuseField(
			'Allowed Recipients',
			entry,
			'one user or address without a name: write each on its own line',
		);
	return parseUserOrWallet(entry, parameter, readLowerCase);
}

const tokenLimitsIn = keepingLast((value: unknown): ReadonlyMap<string, bigint> => {
	const read = (entry: string, parameter: string): [token: string, limit: bigint] => {
		const [, amount, address] = /^(\S+)\s+(0x\S+)$/i.exec(entry) ?? [];
		const expected =
			'an amount and the address of its token, such as 250 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
		if (amount === undefined) return refuseField(TOKENS, entry, expected);
		const token = readLowerCase(address, parameter);
		return [token, toBaseUnits(parseWholeAmount(amount, parameter), TOKEN_PLACES, parameter)];
	};
	const entries = readList(value, TOKENS, read, (text) => text.split(/[\n;]/));
	const limits = new Map(entries);
	if (limits.size === entries.length) return limits;
	return refuseField(TOKENS, value, 'a list with one limit per token');
});

function readMaxValue(value: unknown, field: string): bigint | undefined {
	const expected = 'an amount with a unit, such as 0.1 ether';
	if (typeof value !== 'string') return refuseField(field, value, expected);
	// White space does not count as empty, because expressions without a result leave it.
	if (value === '') return undefined;
	const written = readWritten(value, field, NATIVE_FORMS);
	const limit = inBaseUnits(written, field);
	// Without a unit, 10 could mean ether or wei in any notation; nothing is guessed.
	if (!isUnit(written.unit) && limit !== 0n) return refuseField(field, value, expected);
	return limit < 0n ? refuseField(field, value, 'an amount of 0 or more') : limit;
}

/**
 * Reads the allowed contracts of a credential, in lower case; empty if every contract is allowed.
 *
 * @throws InvalidInputError that names the field if it cannot be read.
 * @example readAllowedContracts({ allowedContracts: '' }) // []
 */
export function readAllowedContracts({
	allowedContracts,
}: ICredentialDataDecryptedObject): readonly string[] {
	return readOrForbid(() => contractsIn(allowedContracts));
}

/**
 * Reads the spending limits of a credential. They fail closed: a field that is missing, unreadable or of the wrong type
 * forbids all writes.
 *
 * @throws InvalidInputError that names the field.
 * @example readSpendingPolicy({ allowWrites: true, allowedContracts: '' }) // throws InvalidInputError
 */
export function readSpendingPolicy(credential: ICredentialDataDecryptedObject): SpendingPolicy {
	const { allowWrites, allowedFunctions, maxValuePerCall, maxValuePerExecution } = credential;
	const { allowedContracts, allowedRecipients, amountLimits } = credential;
	return readOrForbid(() => ({
		allowWrites:
			typeof allowWrites === 'boolean'
				? allowWrites
				: refuseField('Allow Writes', allowWrites, 'true or false'),
		contracts: contractsIn(allowedContracts),
		functions: functionsIn(allowedFunctions),
		recipients: recipientsIn(allowedRecipients),
		tokenLimits: tokenLimitsIn(amountLimits),
		maxValuePerCall: readMaxValue(maxValuePerCall, 'Max Native Coin per Call'),
		maxValuePerExecution: readMaxValue(maxValuePerExecution, 'Max Native Coin per Execution'),
	}));
}
