import type { ICredentialDataDecryptedObject, IExecuteSingleFunctions } from 'n8n-workflow';

import {
	activeCredentialType,
	readActiveCredential,
	TOKEN_CREDENTIAL,
} from '../request/credential/active-credential';
import { baseUrlOf } from '../request/credential/base-url';
import type { GetCredentials } from '../request/credential/shared-credential';
import { withSignedInUser } from '../request/credential/signed-in-user';
import { InvalidInputError } from '../values/invalid-input';
import { spendingPolicyFields } from './policy/policy-fields';

/** Fields that decide where and for whom a write is sent, and whether it is allowed. */
const DECISIVE = [
	'baseUrl',
	'userId',
	'allowInsecureHttp',
	...spendingPolicyFields.map(({ name }) => name),
] as const;

/** One reading of a credential, with the user of a sign-in in it, and the accessor that passes it on to the request of one try. */
export interface PinnedCredential {
	readonly credential: ICredentialDataDecryptedObject;
	readonly baseUrl: string;
	readonly getCredentials: GetCredentials;
}

/** @throws InvalidInputError when one of the decisive fields differs. */
function assertSame(before: ICredentialDataDecryptedObject, later: ICredentialDataDecryptedObject) {
	const now = withSignedInUser(later);
	const changed = DECISIVE.find(
		(field) => JSON.stringify(before[field]) !== JSON.stringify(now[field]),
	);
	if (changed === undefined) return;
	throw new InvalidInputError({
		code: 'policy-unreadable',
		message: `The credential changed while a write was about to be sent with it (${changed})`,
		hint: 'Nothing was sent. Run the node again; an expression in the credential must give the same value each time',
	});
}

/**
 * Reads the credential of an item so that the policy that is checked and the address and token that are used come from the
 * same reading: n8n reads a credential anew, and evaluates its expressions anew, for each request.
 *
 * The tokens of a sign-in may be renewed meanwhile, so that credential is read again and must match the first reading.
 *
 * @returns the reading; its `getCredentials` throws InvalidInputError when a later one does not match
 * @example const { credential, getCredentials } = await pinCredential(context);
 */
export async function pinCredential(context: IExecuteSingleFunctions): Promise<PinnedCredential> {
	const own = activeCredentialType(context);
	const credential = await readActiveCredential(context);
	const getCredentials = async (type: string) => {
		if (type === own && own === TOKEN_CREDENTIAL) return credential;
		const read = await context.getCredentials(type);
		if (type === own) assertSame(credential, read);
		return read;
	};
	return { credential, baseUrl: baseUrlOf(credential), getCredentials };
}
