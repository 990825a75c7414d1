import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { exchange } from '../../request/exchange';
import type { NodeRun } from '../../request/node-run';
import type { FillRequest, SendInTurn } from '../../request/prepare';
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
import { UserAddresses } from './user-addresses';

/** What an item's read needs again when its answer is there. */
export interface ReadCall {
	readonly checked: CheckedCall;
	readonly options: CallOptions;
}

const NO_ADDRESSES: ReadonlyMap<string, string> = new Map();

/** By the context that n8n hands to both `preSend` and `postReceive` of an item. */
const readCalls = new WeakMap<object, ReadCall>();
const userAddresses = new WeakMap<NodeRun, UserAddresses>();

/** The call that was made for an item. */
export function readCallOf(context: IExecuteSingleFunctions): ReadCall {
	const readCall = readCalls.get(context);
	if (readCall === undefined) throw new Error('The call was not prepared');
	return readCall;
}

function addressesOfRun(run: NodeRun): UserAddresses {
	const known = userAddresses.get(run) ?? new UserAddresses();
	userAddresses.set(run, known);
	return known;
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

async function resolveUsers(
	context: IExecuteSingleFunctions,
	userIds: readonly string[],
	send: SendInTurn,
): Promise<ReadonlyMap<string, string>> {
	const { run } = preparedFor(context);
	const ask = async (url: string) =>
		await send(async () => await exchange(context, { method: 'GET', url }, run.settings.timeoutMs));
	return await addressesOfRun(run).of(userIds, ask);
}

/** Fills the body of a contract read from the item's parameters; users are looked up in the item's turn. */
export const fillCall: FillRequest = async (context, request) => {
	const read = parameterReader((name, fallback, how) =>
		context.getNodeParameter(name, fallback, how),
	);
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
	preparedFor(context).complete = async (send) => {
		const checked = complete(await resolveUsers(context, plan.userIds, send));
		if (!options.isPreview) return undefined;
		const credential = await readActiveCredential(context);
		const json = previewOf(checked, READ_ROUTE, credential);
		return [{ json, pairedItem: { item: context.getItemIndex() } }];
	};
	return {};
};
