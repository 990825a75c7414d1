import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { FillRequest } from '../../request/prepare';
import { readActiveCredential } from '../../request/active-credential';
import { preparedFor } from '../../request/prepare';
import { parameterReader } from '../../request/read-parameter';
import { InvalidInput } from '../../values/invalid-input';
import type { CallOptions } from './call-options';
import { readCallOptions } from './call-options';
import type { CheckedCall, PlannedCall } from './contract-call';
import { completeCall, planCall } from './contract-call';
import { previewOf } from './preview';
import { READ_ROUTE } from './read-route';
import { resolveUsers } from './user-addresses';

/** What an item's read needs again when its answer is there. */
export interface ReadCall {
	readonly checked: CheckedCall;
	readonly options: CallOptions;
}

const NO_ADDRESSES: ReadonlyMap<string, string> = new Map();

/** By the context that n8n hands to both `preSend` and `postReceive` of an item. */
const readCalls = new WeakMap<object, ReadCall>();

/** The call that was made for an item. */
export function readCallOf(context: IExecuteSingleFunctions): ReadCall {
	const readCall = readCalls.get(context);
	if (readCall === undefined) throw new Error('The call was not prepared');
	return readCall;
}

function assertCanScale({ contractFunction }: PlannedCall, { decimals }: CallOptions): void {
	if (decimals === undefined || contractFunction.outputs.length > 0) return;
	throw new InvalidInput({
		parameter: 'Options: Scale by Decimals',
		value: decimals,
		message: 'The function declares no return types, so that nothing is known to be an integer',
		hint: 'Add them to the function, for example returns (uint256), or remove the option',
	});
}

/** Fills the body of a contract read from the item's parameters; users are looked up in the item's turn. */
export const fillCall: FillRequest = async (context, request) => {
	const read = parameterReader(context);
	const options = readCallOptions(read);
	const plan = planCall(read, 'read');
	assertCanScale(plan, options);
	const complete = (addresses: ReadonlyMap<string, string>): CheckedCall => {
		const checked = completeCall(plan, 'read', addresses);
		readCalls.set(context, { checked, options });
		request.headers = { ...request.headers, 'Content-Type': 'application/json' };
		request.body = JSON.stringify(checked.call);
		return checked;
	};
	if (plan.userIds.length === 0 && !options.isPreview) {
		complete(NO_ADDRESSES);
		return {};
	}
	const prepared = preparedFor(context);
	prepared.complete = async (send) => {
		const checked = complete(await resolveUsers(context, prepared.run, plan.userIds, send));
		if (!options.isPreview) return undefined;
		const credential = await readActiveCredential(context);
		const json = previewOf(checked, READ_ROUTE, credential);
		return [{ json, pairedItem: { item: context.getItemIndex() } }];
	};
	return {};
};
