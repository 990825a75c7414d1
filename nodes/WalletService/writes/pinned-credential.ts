import type { ICredentialDataDecryptedObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { activeCredentialType, usesOAuth } from '../request/credential/active-credential';
import type { GetCredentials } from '../request/credential/shared-credential';
import { InvalidInputError } from '../values/invalid-input';
import { spendingPolicyFields } from './policy-fields';

/** Fields that decide where a write goes and whether it may. */
const DECISIVE = [
	'baseUrl',
	'allowInsecureHttp',
	...spendingPolicyFields.map(({ name }) => name),
] as const;

/** One reading of a credential, and what gives it to the request of one try. */
export interface PinnedCredential {
	readonly credential: ICredentialDataDecryptedObject;
	readonly getCredentials: GetCredentials;
}

function assertSame(
	one: ICredentialDataDecryptedObject,
	other: ICredentialDataDecryptedObject,
): ICredentialDataDecryptedObject {
	const changed = DECISIVE.find(
		(field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]),
	);
	if (changed === undefined) return other;
	throw new InvalidInputError({
		code: 'policy-unreadable',
		message: `The credential changed while a write was about to be sent with it (${changed})`,
		hint: 'Nothing was sent. Run the node again; an expression in the credential must give the same value each time',
	});
}

/**
 * Reads the credential of an item, so that the policy which is checked and the address and token which are used are those
 * of one reading: n8n reads a credential anew for each request, and evaluates its expressions anew.
 *
 * The tokens of a sign-in may be renewed meanwhile, so that one is read again, and held to the first reading.
 */
export async function pinCredential(context: IExecuteSingleFunctions): Promise<PinnedCredential> {
	const type = activeCredentialType(context);
	const credential = await context.getCredentials(type);
	const getCredentials = async (asked: string) => {
		if (asked !== type) return await context.getCredentials(asked);
		if (!usesOAuth(context)) return credential;
		return assertSame(credential, await context.getCredentials(type));
	};
	return { credential, getCredentials };
}
