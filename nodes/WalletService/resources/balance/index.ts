import type { Resource } from '../operation';
import { native } from './native';
import { tokenBalance } from './token';

export const balance: Resource = {
	option: { name: 'Balance', value: 'balance' },
	defaultOperation: 'native',
	operations: [native, tokenBalance],
};
