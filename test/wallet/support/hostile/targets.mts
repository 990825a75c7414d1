/** What an endpoint is asked for, with the fields of the answers, and the moments at which a lie about them matters. */
import { id } from 'ethers';
import type { RpcRequest } from '../endpoint.mts';
import type { MomentName } from './moment-names.mts';
import type { Kind } from './values.mts';

/** Requests of one kind. */
export interface Target {
	name: string;
	method: string;
	/** Whether a request is meant; all of the method if undefined. */
	isMeant?(request: RpcRequest): boolean;
	/** Paths in the result, with the kind of the value there; the empty path is the result itself. */
	fields: readonly (readonly [path: string, kind: Kind])[];
	/** Whether errors and whole results take the place of the answer, too. */
	hasWhole?: boolean;
	moments: readonly MomentName[];
}

const ALWAYS: readonly MomentName[] = ['start', 'write', 'pool', 'block', 'final'];
const IN_BLOCKS: readonly MomentName[] = [
	'start',
	'block',
	'final',
	'undone',
	'foreign',
	'history',
];
const OF_WRITES: readonly MomentName[] = ['write', 'first start', 'given up'];
const OF_FEES: readonly MomentName[] = ['write', 'dear', 'given up', 'pool'];

const tagOf = ({ params: [tag] }: RpcRequest): string => String(tag);
const isNumber = (tag: string): boolean => tag.startsWith('0x') && tag !== '0x0';
const selector = (signature: string): string => id(signature).slice(2, 10);

/** Calls of a function of a contract. */
const calls = (signature: string): Pick<Target, 'name' | 'method' | 'isMeant'> => ({
	name: `eth_call ${signature}`,
	method: 'eth_call',
	isMeant: ({ params }) => JSON.stringify(params[0]).includes(`0x${selector(signature)}`),
});

const BLOCK: Target['fields'] = [
	['number', 'quantity'],
	['hash', 'hash'],
	['parentHash', 'hash'],
	['timestamp', 'quantity'],
	['transactions', 'list'],
];

const LOG: Target['fields'] = [
	['*.address', 'address'],
	['*.topics', 'list'],
	['*.data', 'data'],
	['*.blockNumber', 'quantity'],
	['*.blockHash', 'hash'],
	['*.transactionHash', 'hash'],
	['*.transactionIndex', 'quantity'],
	['*.logIndex', 'quantity'],
];

const quantityOf = (method: string, moments: Target['moments']): Target => ({
	name: method,
	method,
	moments,
	hasWhole: true,
	fields: [['', 'quantity']],
});

export const TARGETS: readonly Target[] = [
	quantityOf('eth_chainId', ['start', 'first start', 'block', 'final']),
	quantityOf('eth_blockNumber', ALWAYS),
	{
		name: 'the first block',
		method: 'eth_getBlockByNumber',
		hasWhole: true,
		isMeant: (request) => tagOf(request) === '0x0',
		fields: [
			['hash', 'hash'],
			['number', 'quantity'],
		],
		moments: ['start', 'first start', 'block', 'final'],
	},
	{
		name: 'the newest block',
		method: 'eth_getBlockByNumber',
		hasWhole: true,
		isMeant: (request) => tagOf(request) === 'latest',
		fields: [...BLOCK, ['baseFeePerGas', 'quantity']],
		moments: [...ALWAYS, 'undone', 'dear', 'history'],
	},
	{
		name: 'the final block',
		method: 'eth_getBlockByNumber',
		hasWhole: true,
		isMeant: (request) => tagOf(request) === 'finalized',
		fields: [
			['number', 'quantity'],
			['hash', 'hash'],
		],
		moments: ['start', 'final', 'foreign', 'history'],
	},
	{
		name: 'a block',
		method: 'eth_getBlockByNumber',
		hasWhole: true,
		isMeant: (request) => isNumber(tagOf(request)),
		fields: BLOCK,
		moments: IN_BLOCKS,
	},
	{
		name: 'a block by hash',
		method: 'eth_getBlockByHash',
		hasWhole: true,
		fields: [['timestamp', 'quantity']],
		moments: ['block', 'history'],
	},
	{
		name: 'a receipt',
		method: 'eth_getTransactionReceipt',
		hasWhole: true,
		fields: [
			...([
				['transactionHash', 'hash'],
				['blockNumber', 'quantity'],
				['blockHash', 'hash'],
				['status', 'status'],
				['gasUsed', 'quantity'],
				['effectiveGasPrice', 'quantity'],
				['from', 'address'],
				['logs', 'list'],
			] as const),
			...LOG.map(([path, kind]) => [`logs.${path}`, kind] as const),
		],
		moments: ['start', 'block', 'final', 'undone', 'foreign'],
	},
	{
		name: 'a transaction',
		method: 'eth_getTransactionByHash',
		hasWhole: true,
		fields: [
			['hash', 'hash'],
			['blockNumber', 'quantity'],
			['blockHash', 'hash'],
			['nonce', 'quantity'],
			['from', 'address'],
		],
		moments: ['write', 'block', 'final', 'foreign'],
	},
	{
		...quantityOf('eth_getTransactionCount', [...IN_BLOCKS, 'pool', 'first start', 'write']),
		name: 'the newest count',
		isMeant: ({ params }) => params[1] === 'latest',
	},
	{
		...quantityOf('eth_getTransactionCount', ['foreign', 'final']),
		name: 'the count at a block',
		isMeant: ({ params }) => isNumber(String(params[1])),
	},
	{
		name: 'logs',
		method: 'eth_getLogs',
		hasWhole: true,
		fields: [['', 'list'], ...LOG],
		moments: ['first start', 'block', 'final', 'history', 'start'],
	},
	quantityOf('eth_getBalance', OF_WRITES),
	{
		name: 'eth_getCode',
		method: 'eth_getCode',
		hasWhole: true,
		fields: [['', 'data']],
		moments: OF_WRITES,
	},
	quantityOf('eth_estimateGas', OF_WRITES),
	{
		name: 'eth_feeHistory',
		method: 'eth_feeHistory',
		hasWhole: true,
		fields: [
			['reward', 'list'],
			['reward.*', 'list'],
			['reward.*.*', 'quantity'],
			['baseFeePerGas', 'list'],
			['baseFeePerGas.*', 'quantity'],
		],
		moments: OF_FEES,
	},
	quantityOf('eth_maxPriorityFeePerGas', OF_FEES),
	quantityOf('eth_gasPrice', OF_FEES),
	...(['decimals()', 'symbol()', 'balanceOf(address)'] as const).map((signature): Target => {
		const moments = ['history', 'block', 'write', 'start'] as const;
		return { ...calls(signature), fields: [['', 'data']], hasWhole: true, moments };
	}),
	{
		name: 'eth_sendRawTransaction',
		method: 'eth_sendRawTransaction',
		hasWhole: true,
		fields: [['', 'hash']],
		moments: ['write', 'pool', 'dear', 'given up'],
	},
];
