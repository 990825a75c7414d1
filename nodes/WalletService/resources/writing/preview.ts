import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { calldata } from '../../contract/call';
import { selector } from '../../contract/function';
import { keyedUrl, ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { describeService } from '../../request/http/service-description';
import type { PinnedCredential } from '../../writes/pinned-credential';
import { withResolvedAddresses } from '../look-ups/look-ups';
import { describeWrite } from './describe-write';

/** What would be submitted, in words and parts. */
export function introduceCall(checked: CheckedCall): IDataObject {
	const { words, first } = describeWrite(checked);
	return { summary: `Would submit: ${words}. Nothing was sent.`, ...first, submitted: false };
}

/** The request that would be sent, as far as it is known, with its parts. */
export async function previewOf(
	checked: CheckedCall,
	client: ServiceClient,
	pinned: PinnedCredential,
	orderId: string | undefined,
): Promise<IDataObject> {
	const { call, contractFunction } = checked;
	const { keepsWrites } = await describeService(client, pinned);
	const { method, url } = keepsWrites ? ROUTES.keyedWrite : ROUTES.write;
	const path = orderId === undefined ? url : keyedUrl(orderId);
	const shown = {
		...{ method, url: `${pinned.baseUrl}${path}`, body: { ...call } },
		function: contractFunction.key,
		selector: selector(contractFunction),
		calldata: calldata(contractFunction, call.args),
	};
	return withResolvedAddresses(shown, checked);
}
