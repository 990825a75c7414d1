import type { INodeProperties } from 'n8n-workflow';

import { refuse } from '../../values/invalid-input';

/** A field with a fixed value, which the form does not show. */
export const hidden = (displayName: string, name: string, value: string): INodeProperties => ({
	displayName,
	name,
	type: 'hidden',
	default: value,
});

/** Fields that every credential of the service has, however it signs requests. */
export const serviceFields = {
	baseUrl: {
		displayName: 'Base URL',
		name: 'baseUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://wallet.example.com',
		description:
			'The address of the wallet service. Trailing slashes and a trailing /v1 are removed; any other path is kept.',
	},
	userId: {
		displayName: 'User ID',
		name: 'userId',
		type: 'string',
		default: '',
		placeholder: 'e.g. DISCORD-100200300400500600',
		description: 'The user that this token belongs to. Used by nodes whose own User ID is empty.',
	},
	allowInsecureHttp: {
		displayName: 'Allow Insecure HTTP',
		name: 'allowInsecureHttp',
		type: 'boolean',
		default: false,
		description:
			'Whether to accept an http:// address outside this machine and its private network. Anyone on the network path can then read the token.',
	},
	/** n8n's own field, fixed: in other nodes the token could go anywhere, past the spending limits. */
	allowedHttpRequestDomains: hidden(
		'Allowed HTTP Request Domains',
		'allowedHttpRequestDomains',
		'none',
	),
} as const satisfies Record<string, INodeProperties>;

/** Visible ASCII characters: a header holds no line break, and no token has a space (RFC 6750, section 2.1). */
const SENDABLE = /^[!-~]+$/;

/** What is wrong with an access token, to complete a sentence; `undefined` for one that can be sent. */
export function faultOfToken(token: unknown): string | undefined {
	if (token === undefined || token === null || token === '') return 'is empty';
	if (typeof token === 'string' && SENDABLE.test(token)) return undefined;
	return 'contains white space or another character that is invalid in a token';
}

/**
 * The pasted access token of a credential, without the white space around it.
 *
 * @throws InvalidInputError that names the field and never quotes it.
 */
export function readAccessToken(value: unknown): string {
	const token = String(value ?? '').trim();
	const fault = faultOfToken(token);
	if (fault === undefined) return token;
	const hint =
		'Open the credential and enter only the token, on one line and without the word Bearer';
	return refuse('Access Token', undefined, `The access token ${fault}`, hint);
}
