import { ROUTES } from '../../request/http/routes';
import type { Operation } from '../operation';
import { contractAddress } from '../parameters';
import { callParameters } from './parameters';
import { planRead } from './read-plan';
import { READ_FIELDS } from './simplify-read';

export const read: Operation = {
	option: {
		name: 'Read',
		value: 'read',
		action: 'Read contract value',
		description: 'Call a function of a smart contract that only returns values; costs nothing',
	},
	route: ROUTES.read,
	input: [contractAddress, ...callParameters('read')],
	fields: READ_FIELDS,
	plan: planRead,
};
