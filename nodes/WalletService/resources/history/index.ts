import type { Resource } from '../operation';
import { find } from './find';
import { list } from './list';

export const history: Resource = {
	option: { name: 'History', value: 'history' },
	defaultOperation: 'list',
	operations: [list, find],
};
