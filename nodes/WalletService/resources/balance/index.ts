import type { Resource } from '../operation';
import { native } from './native';
import { token } from './token';

const operations = [native, token];

export const balance: Resource = {
	option: { name: 'Balance', value: 'balance' },
	operationList: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['balance'] } },
		options: operations.map(({ option }) => option),
		default: 'native',
	},
	operations,
};
