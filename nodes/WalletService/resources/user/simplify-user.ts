import { unexpectedAnswer } from '../../request/http/answer';
import { isItem } from '../../values/objects';
import type { Simplify } from '../answer-items';

/** The five fields of a user (interface, section 2.1). */
export const simplifyUser: Simplify = (answer) => {
	if (!isItem(answer) || typeof answer.id !== 'string' || typeof answer.address !== 'string') {
		throw unexpectedAnswer('a user with id and address', answer);
	}
	const { id, provider, username, address, imageSrc } = answer;
	return [{ id, provider, username, address, imageSrc }];
};
