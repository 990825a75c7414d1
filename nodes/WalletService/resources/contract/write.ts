import { prepare } from '../../request/prepare';
import { withEarlierTry } from '../../writes/earlier-try';
import type { Operation } from '../operation';
import { contractAddress, options, simplify } from '../parameters';
import { fillWrite } from './fill-write';
import { callParameters } from './parameters';
import { value, valueUnit } from './value';
import { WRITE_ROUTE } from './write-route';

/** Nonces follow the items. */
const order = 'in order';

export const write: Operation = {
	option: {
		name: 'Write',
		value: 'write',
		action: 'Submit a transaction to a contract',
		description:
			'Submit a transaction that calls a function of a smart contract and can move money; items are sent one after the other',
		routing: {
			request: { method: 'POST', url: WRITE_ROUTE },
			send: { paginate: true, preSend: [prepare(fillWrite, order, withEarlierTry)] },
		},
	},
	input: [contractAddress, ...callParameters, value, valueUnit],
	output: [simplify, options],
	order,
};
