import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { parseAddress } from '../values/address';
import { InvalidInput } from '../values/invalid-input';
import { parseUserId } from '../values/user-id';
import { readActiveCredential } from './active-credential';
import { fillRoute, placeholdersOf } from './path';
import type { FillRequest } from './prepare';
import { parameterReader } from './read-parameter';

type ReadValue = (context: IExecuteSingleFunctions) => Promise<string>;

/** The node's User ID, or the credential's when it is left empty. */
async function readUserId(context: IExecuteSingleFunctions): Promise<string> {
	const given = parameterReader(context)('userId', '');
	if (typeof given !== 'string' || given.trim() !== '') return parseUserId(given, 'userId');
	const { userId } = await readActiveCredential(context);
	if (typeof userId === 'string' && userId.trim() !== '') return parseUserId(userId, 'userId');
	throw new InvalidInput({
		parameter: 'userId',
		value: given,
		message: 'No user is given',
		hint: 'Enter a user ID in the node, or the user that the token belongs to in the credential',
	});
}

const readTokenAddress: ReadValue = async (context) =>
	parseAddress(parameterReader(context)('contractAddress', ''), 'contractAddress');

/** Which parameter stands behind a `:name` of the interface's routes. */
const READERS: Readonly<Record<string, ReadValue>> = {
	userId: readUserId,
	tokenAddress: readTokenAddress,
};

/** Fills the `:names` of a route from the item's parameters, checked and encoded. */
export const fillPath: FillRequest = async (context, request) => {
	const values: Record<string, string> = {};
	for (const name of placeholdersOf(request.url)) {
		const read = READERS[name];
		if (read === undefined) throw new Error(`No parameter stands behind :${name}`);
		values[name] = await read(context);
	}
	request.url = fillRoute(request.url, values);
	return values;
};
