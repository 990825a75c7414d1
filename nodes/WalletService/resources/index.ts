import { getNative, getToken } from './balance/get';
import { read } from './contract/read';
import { write } from './contract/write';
import { find } from './history/find';
import { list } from './history/list';
import type { Resource } from './operation';
import { send } from './token/send';
import { get as getTransaction } from './transaction/get';
import { get } from './user/get';

/** Resources in the order of n8n's list of actions, the most common first. The first operation of each is its default. */
export const resources: readonly Resource[] = [
	{ option: { name: 'Balance', value: 'balance' }, operations: [getNative, getToken] },
	{ option: { name: 'Token', value: 'token' }, operations: [send] },
	{ option: { name: 'History', value: 'history' }, operations: [list, find] },
	{ option: { name: 'Transaction', value: 'transaction' }, operations: [getTransaction] },
	{ option: { name: 'User', value: 'user' }, operations: [get] },
	{ option: { name: 'Contract', value: 'contract' }, operations: [read, write] },
];
