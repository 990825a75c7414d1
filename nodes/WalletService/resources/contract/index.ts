import type { Resource } from '../operation';
import { read } from './read';
import { write } from './write';

export const contract: Resource = {
	option: { name: 'Contract', value: 'contract' },
	defaultOperation: 'read',
	operations: [read, write],
};
