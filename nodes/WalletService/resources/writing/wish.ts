import type { Item } from '../../request/run/item';
import { readOptions } from '../../request/run/read-parameter';
import { parseSwitch } from '../../values/choice';
import { parseUserId } from '../../values/user-id';
import { SENDER } from '../../writes/account';
import { preview } from '../parameters';
import { readOrderId } from './order-id';

/** Whether and how often an item wants to be sent. */
export interface Wish {
	readonly isPreview: boolean;
	readonly sendsAgain: boolean;
	readonly orderId: string | undefined;
	/** The user whose wallet is to pay; absent if any may. */
	readonly sender: string | undefined;
}

/** @throws InvalidInputError for what cannot be read */
export function readWish(item: Item): Wish {
	const isPreview = parseSwitch(item.read(preview.name, false), preview.name);
	const options = readOptions(item.read);
	const { sendAgain = false } = options;
	const sendsAgain = parseSwitch(sendAgain, ['options', 'sendAgain']);
	const sender = 'sender' in options ? parseUserId(options.sender, ['options', SENDER]) : undefined;
	return { isPreview, sendsAgain, orderId: readOrderId(item, options), sender };
}
