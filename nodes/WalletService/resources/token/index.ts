import type { Resource } from '../operation';
import { send } from './send';

export const token: Resource = {
	option: { name: 'Token', value: 'token' },
	defaultOperation: 'send',
	operations: [send],
};
