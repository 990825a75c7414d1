import { ROUTES } from '../../request/http/routes';
import { earlierWrites, withEarlierTry } from '../../writes/earlier-try';
import { SEND_FIELDS } from '../writing/describe-write';
import type { Operation } from '../operation';
import { movesMoney, preview, tokenParameter } from '../parameters';
import { amount, pieceId, recipient, tokenStandard } from './parameters';
import { planSend } from './send-plan';

export const send: Operation = {
	option: {
		name: 'Send',
		value: 'send',
		action: 'Send tokens',
		description:
			'Send tokens such as USDC, or an NFT, from your wallet to a user or an address: a payment that nobody can take back; items are sent one after the other',
	},
	route: ROUTES.write,
	input: [movesMoney, tokenParameter, recipient, tokenStandard, amount, pieceId, preview],
	fields: SEND_FIELDS,
	// Nonces follow the items.
	isSequential: true,
	plan: planSend,
	explain: ({ context }, error) => withEarlierTry(context, error),
	recall: ({ context }) => earlierWrites(context),
};
