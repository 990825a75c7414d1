import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { activeCredentialType } from '../request/credential/active-credential';

/**
 * Identifies the credential of a node, for its queue, its budget, and its calls of unknown outcome; all nodes whose
 * credential has no id share one.
 *
 * @example credentialKeyOf(context) // '["walletServiceApi","Xk3"]'
 */
export function credentialKeyOf(context: Pick<IExecuteSingleFunctions, 'getNode'>): string {
	const type = activeCredentialType(context);
	return JSON.stringify([type, context.getNode().credentials?.[type]?.id ?? '']);
}
