import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { calldata } from '../../contract/call';
import { selector } from '../../contract/function';
import { keyedUrl, ROUTES } from '../../request/http/routes';
import type { ServiceDescription } from '../../request/http/service-description';
import type { PinnedCredential } from '../../writes/pinned-credential';
import { withResolvedAddresses } from '../look-ups/look-ups';
import { describeWrite } from './describe-write';
import type { Where } from './where';
import { whereInWords } from './where';

/** What would be submitted, in words and parts. */
export function introduceCall(checked: CheckedCall, where: Where): IDataObject {
	const { words, first } = describeWrite(checked, where);
	const summary = `Would submit: ${words}${whereInWords(where, checked.userNames)}. Nothing was sent.`;
	return { summary, ...first, submitted: false };
}

/** The request that would be sent, as far as it is known, with its parts. */
export function previewOf(
	checked: CheckedCall,
	pinned: PinnedCredential,
	{ keepsWrites }: ServiceDescription,
	orderId: string | undefined,
): IDataObject {
	const { call, contractFunction } = checked;
	const { method, url } = keepsWrites ? ROUTES.keyedWrite : ROUTES.write;
	const path = orderId === undefined ? url : keyedUrl(orderId);
	const shown = {
		method,
		url: `${pinned.baseUrl}${path}`,
		body: { ...call },
		function: contractFunction.key,
		selector: selector(contractFunction),
		calldata: calldata(contractFunction, call.args),
	};
	return withResolvedAddresses(shown, checked);
}
