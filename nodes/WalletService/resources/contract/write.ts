import { ROUTES } from '../../request/http/routes';
import { earlierWrites, withEarlierTry } from '../../writes/earlier-try';
import type { Operation } from '../operation';
import { contractAddress, movesMoney, preview } from '../parameters';
import { WRITE_FIELDS } from '../writing/describe-write';
import { callParameters } from './parameters';
import { planWrite } from './write-plan';

export const write: Operation = {
	option: {
		name: 'Write',
		value: 'write',
		action: 'Submit contract transaction',
		description:
			'Submit a transaction that calls a function of a smart contract and can move money; items are sent one after the other',
	},
	route: ROUTES.write,
	input: [movesMoney, contractAddress, ...callParameters('write'), preview],
	fields: WRITE_FIELDS,
	// Nonces follow the items.
	isSequential: true,
	plan: planWrite,
	explain: ({ context }, error) => withEarlierTry(context, error),
	recall: ({ context }) => earlierWrites(context),
};
