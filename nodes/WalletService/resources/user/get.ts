import { unexpectedAnswer } from '../../request/http/answer';
import { ROUTES } from '../../request/http/routes';
import { defined } from '../../values/objects';
import { profileOf } from '../look-ups/user-addresses';
import type { Operation } from '../operation';
import { userId } from '../parameters';
import type { Simplify } from '../plan-get';
import { planGet } from '../plan-get';

const simplifyUser: Simplify = (answer, values) => {
	const user = profileOf(values.userId ?? '', answer);
	if (typeof user.address !== 'string') throw unexpectedAnswer('a user with an address', user);
	const { id, provider, username, address, imageSrc } = user;
	return [defined({ id, provider, username, address, imageSrc })];
};

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get user',
		description: "Look up a user's profile and wallet address",
	},
	route: ROUTES.user,
	input: [userId],
	fields: ['id', 'provider', 'username', 'address', 'imageSrc'],
	plan: planGet(simplifyUser),
};
