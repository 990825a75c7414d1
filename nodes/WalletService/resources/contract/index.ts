import type { Resource } from '../operation';
import { read } from './read';
import { write } from './write';

const operations = [read, write];

export const contract: Resource = {
	option: { name: 'Contract', value: 'contract' },
	operationList: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['contract'] } },
		options: operations.map(({ option }) => option),
		default: 'read',
	},
	operations,
};
