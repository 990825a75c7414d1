import type { Resource } from '../operation';
import { list } from './list';

export const history: Resource = {
	option: { name: 'History', value: 'history' },
	defaultOperation: 'list',
	operations: [list],
};
