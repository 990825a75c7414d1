import type { Resource } from '../operation';
import { list } from './list';

const operations = [list];

export const history: Resource = {
	option: { name: 'History', value: 'history' },
	operationList: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['history'] } },
		options: operations.map(({ option }) => option),
		default: 'list',
	},
	operations,
};
