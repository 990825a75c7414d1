import type { Resource } from '../operation';
import { get } from './get';

const operations = [get];

export const user: Resource = {
	option: { name: 'User', value: 'user' },
	operationList: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['user'] } },
		options: operations.map(({ option }) => option),
		default: 'get',
	},
	operations,
};
