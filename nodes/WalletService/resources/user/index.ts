import type { Resource } from '../operation';
import { get } from './get';

export const user: Resource = {
	option: { name: 'User', value: 'user' },
	defaultOperation: 'get',
	operations: [get],
};
