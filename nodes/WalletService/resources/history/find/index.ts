import { ROUTES } from '../../../request/http/routes';
import type { Operation } from '../../operation';
import { userId } from '../../parameters';
import { waitUpTo } from '../../wait-up-to';
import { TRANSFER_FIELDS } from '../transfer';
import { planFind } from './find-plan';
import {
	alsoTold,
	findBy,
	submittedAt,
	transactionHash,
	transferredAmount,
	transferredTo,
	transferredToken,
	whenNotSeen,
} from './parameters';

export const find: Operation = {
	option: {
		name: 'Find Transfer',
		value: 'find',
		action: 'Find transfer in history',
		description:
			"Look for one transfer in a user's history, by its transaction hash or its content, and wait for it if wanted: has it arrived?",
	},
	route: ROUTES.history,
	input: [
		userId,
		findBy,
		transactionHash,
		...alsoTold,
		transferredToken,
		transferredTo,
		transferredAmount,
		submittedAt,
		waitUpTo,
		whenNotSeen,
	],
	fields: [
		...['seen', 'matchedBy', 'differs', ...TRANSFER_FIELDS],
		...['windowCovers', 'checkedFor', 'checkedAt', 'to', 'submittedAt'],
	],
	plan: planFind,
};
