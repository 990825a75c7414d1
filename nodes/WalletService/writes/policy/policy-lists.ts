import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { parseAddress } from '../../values/address';
import { InvalidInputError, POLICY_FIELD } from '../../values/invalid-input';
import { quote } from '../../values/quote';

/**
 * Name of a field of the credential, for errors.
 *
 * @example inCredential('Allow Writes') // 'Credential: Allow Writes'
 */
export const inCredential = (field: string): string => `${POLICY_FIELD}${field}`;

/**
 * Refuses a field of the policy.
 *
 * @throws InvalidInputError that names the field.
 * @example refuseField('Allow Writes', 'yes', 'true or false') // throws InvalidInputError
 */
export function refuseField(field: string, value: unknown, expected: string): never {
	throw new InvalidInputError({
		parameter: inCredential(field),
		value,
		message: `${quote(value)} is not ${expected}, so that nobody knows what it allows`,
		hint: 'A policy that cannot be read forbids all writes. Whoever owns the credential can correct the field in it',
	});
}

/** Entries of text, separated by line breaks, semicolons, or commas that are not inside parentheses. */
function entriesOfText(text: string): string[] {
	const entries = [''];
	let depth = 0;
	for (const character of text) {
		if (character === '(') depth += 1;
		if (character === ')') depth -= 1;
		const separates = character === '\n' || character === ';' || (character === ',' && depth <= 0);
		if (separates) entries.push('');
		else entries.push(`${entries.pop() ?? ''}${character}`);
	}
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** Separators with nothing between them are what expressions without a result leave: not an empty list, which allows all. */
const isReadable = (text: unknown): text is string =>
	typeof text === 'string' && (text.trim() === '' || entriesOfText(text).length > 0);

/**
 * Entries of a list field, which is text, or a list of strings from an expression.
 *
 * @throws InvalidInputError that names the field.
 * @example entriesOf('f(uint8,bool), 0x12345678', 'Allowed Functions') // ['f(uint8,bool)', '0x12345678']
 */
export function entriesOf(value: unknown, field: string): string[] {
	const texts: unknown[] = Array.isArray(value) ? value : [value];
	return texts.flatMap((text) =>
		isReadable(text) ? entriesOfText(text) : refuseField(field, value, 'a list of texts'),
	);
}

/**
 * The contracts that a credential allows, in lower case; none where it allows every contract.
 *
 * @throws InvalidInputError that names the field, when it cannot be read.
 * @example readAllowedContracts({ allowedContracts: '' }) // []
 */
export function readAllowedContracts(credential: ICredentialDataDecryptedObject): string[] {
	return entriesOf(credential.allowedContracts, 'Allowed Contracts').map((entry) =>
		parseAddress(entry, inCredential('Allowed Contracts')).toLowerCase(),
	);
}
