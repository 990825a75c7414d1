import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { calldata, selector } from '../../contract/calldata';
import { functionKey } from '../../contract/function';
import { normalizeBaseUrl } from '../../request/credential/base-url';
import { withResolvedAddresses } from './resolved-addresses';

/**
 * The item that previews a request instead of sending it: its URL and body, the function with its full types, its 4-byte
 * selector, and the data of the transaction.
 */
export function previewOf(
	checked: CheckedCall,
	url: string,
	credential: ICredentialDataDecryptedObject,
): IDataObject {
	const { call, contractFunction } = checked;
	const baseUrl = normalizeBaseUrl(credential.baseUrl, credential.allowInsecureHttp === true);
	return withResolvedAddresses(
		{
			method: 'POST',
			url: `${baseUrl}${url}`,
			body: { ...call },
			function: functionKey(contractFunction),
			selector: selector(contractFunction),
			calldata: calldata(contractFunction, call.args),
		},
		checked,
	);
}
