import { ROUTES } from '../../request/http/routes';
import { earlierWrites, withEarlierTry } from '../../writes/earlier-try';
import type { Operation } from '../operation';
import { contractAddress } from '../parameters';
import { WRITE_FIELDS } from './describe-write';
import { callParameters } from './parameters';
import { value, valueUnit } from './value';
import { planWrite } from './write-plan';

export const write: Operation = {
	option: {
		name: 'Write',
		value: 'write',
		action: 'Submit a transaction to a contract',
		description:
			'Submit a transaction that calls a function of a smart contract and can move money; items are sent one after the other',
	},
	route: ROUTES.write,
	input: [contractAddress, ...callParameters, value, valueUnit],
	fields: WRITE_FIELDS,
	// Nonces follow the items.
	isSequential: true,
	plan: planWrite,
	explain: ({ context }, error) => withEarlierTry(context, error),
	recall: ({ context }) => earlierWrites(context),
};
