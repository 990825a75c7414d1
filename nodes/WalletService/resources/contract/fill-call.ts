import type { FillRequest } from '../../request/prepare';
import { checkedCall } from './contract-call';

/** Fills the body of a contract read from the item's parameters. */
export const fillCall: FillRequest = async (context, request) => {
	const { call } = checkedCall(
		(name, fallback) => context.getNodeParameter(name, fallback),
		'read',
	);
	request.headers = { ...request.headers, 'Content-Type': 'application/json' };
	request.body = JSON.stringify(call);
	return {};
};
