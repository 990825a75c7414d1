import Type from 'typebox';
import { isHexAddress } from '../input/address.mts';

/** An address in a request: the EIP-55 checksum is checked if the case is mixed. */
export const AddressInput = (description: string) =>
	Type.Refine(
		Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description }),
		isHexAddress,
		() => 'must be an address: 0x, 40 hexadecimal digits, a right EIP-55 checksum when mixed case',
	);

export const Address = (description: string) =>
	Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description });

export const TransactionHash = Type.String({
	pattern: '^0x[0-9a-f]{64}$',
	description: 'Transaction hash.',
});

export const UserIdParams = Type.Object({
	userId: Type.String({
		pattern: '^[A-Z][A-Z0-9_]*-[^\\u0000\\r\\n\\u2028\\u2029]+$',
		description:
			'User ID, percent-encoded: the identity provider in upper case, a hyphen, and the identifier at that provider, which may hold any character but NUL and line breaks.',
		examples: ['DISCORD-80351110224678912'],
	}),
});

export const Url = (description: string) => Type.String({ format: 'uri', description });

export const Time = (description: string) =>
	Type.String({
		pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
		description: `${description} UTC.`,
	});

export const DecimalInteger = (description: string) =>
	Type.String({ pattern: '^\\d+$', description });
