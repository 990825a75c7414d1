import { unexpectedAnswer } from '../../request/http/answer';
import { profileOf } from '../look-ups/user-addresses';
import type { SimplifyGet } from '../plan-get';

/** The five fields of a user (interface, section 2.1). */
export const simplifyUser: SimplifyGet = (answer, { userId = '' }) => {
	const user = profileOf(userId, answer);
	if (typeof user.address !== 'string') throw unexpectedAnswer('a user with an address', user);
	const { id, provider, username, address, imageSrc } = user;
	return [{ id, provider, username, address, imageSrc }];
};
