import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { calldata, selector } from '../../contract/call';
import { functionKey } from '../../contract/function';
import { normalizeBaseUrl } from '../../request/credential/base-url';
import type { ReadParameter } from '../../request/run/read-parameter';
import { parseSwitch } from '../../values/switch';
import { preview } from '../parameters';
import { describeWrite } from './describe-write';
import { withResolvedAddresses } from '../look-ups/look-ups';

/** Shown above an output in which something was only tried. */
export const NOT_SENT =
	'Nothing was sent for items with "submitted": false, because Try Without Sending is on.';

/** Whether an item only shows what would be sent. @throws InvalidInputError unless the parameter is a switch. */
export function readPreview(read: ReadParameter): boolean {
	return parseSwitch(read(preview.name, false), preview.name);
}

/** What a call that is only shown begins with. */
export function introduceCall(checked: CheckedCall): IDataObject {
	const { words, first } = describeWrite(checked);
	return { summary: `Would submit: ${words}. Nothing was sent.`, ...first, submitted: false };
}

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
