/** Stories about prices and transfers, and ways not to answer. */
import { toQuantity } from 'ethers';
import { TOKEN } from '../scripted-service.mts';
import { transferLog } from '../scripted-transfer.mts';
import { byHttp, changed, every, type Story } from './inventions.mts';
import { fieldsOf, type NamedStory, type Scene } from './scene.mts';
import { BERT } from './template.mts';
import { ABSENT, bend, ERRORS, word } from './values.mts';

const SOME = ['start', 'write', 'block', 'history'] as const;
const ANY = [...SOME, 'first start', 'pool', 'final', 'undone', 'foreign'] as const;
const FEES = ['write', 'pool', 'dear', 'given up'] as const;
const LOGS = ['first start', 'start', 'block', 'final', 'history'] as const;
const PRICES = ['eth_feeHistory', 'eth_maxPriorityFeePerGas', 'eth_gasPrice'];
const STATEFUL = ['eth_call', 'eth_getBalance', 'eth_getCode', 'eth_estimateGas'];
const DEAR = toQuantity(10n ** 15n);
const DEAR_HISTORY = {
	oldestBlock: '0x1',
	baseFeePerGas: [DEAR],
	gasUsedRatio: [1],
	reward: [[DEAR]],
};

const on = (error: unknown) => () => ({ error });
const answer = (result: unknown) => () => ({ result });
const page = (status: number, body: string, contentType = 'text/html') =>
	byHttp(() => ({ status, body, contentType }));

/** Answers requests that arrive together. */
const forBatches = (body: string) =>
	byHttp((all) => (all.length > 1 ? { status: 200, body } : undefined));

/** Changes the logs of each range. */
const logs =
	(change: (all: Record<string, unknown>[], scene: Scene, to: string) => unknown[]): Story =>
	(scene) => {
		const lie = changed((all, [filter]) => {
			return change([all].flat().map(fieldsOf), scene, String(fieldsOf(filter).toBlock));
		});
		scene.liar.lie('eth_getLogs', lie);
	};

/** The log of a transfer to the wallet that never took place, in the last block of a range. */
function inventedLog({ chain, wallet }: Scene, to: string) {
	const block = chain.blocks[Math.min(chain.head, Number(to))];
	const place = { blockNumber: toQuantity(block?.number ?? 0), blockHash: block?.hash };
	return {
		...transferLog(TOKEN, { from: BERT, to: wallet.address, amount: 99_000_000n }),
		...place,
		transactionHash: `0x${'f1'.repeat(32)}`,
		transactionIndex: '0x7',
		logIndex: '0x9',
		removed: false,
	};
}

const withoutBaseFee = (block: unknown): unknown => {
	return block && bend(block, ['baseFeePerGas'], () => ABSENT);
};

/** Reports a number of transactions once that is a billion too high. */
const jump: Story = ({ liar }) => {
	let isTold = false;
	liar.lie('eth_getTransactionCount', (_request, honest) => {
		if (isTold) return honest();
		isTold = true;
		return { result: toQuantity(1_000_000_001) };
	});
};

const isCallOf = (call: unknown, selector: string): boolean =>
	JSON.stringify(call).includes(selector);

export const STORIES_OF_ANSWERS: readonly NamedStory[] = [
	[
		'dead',
		({ liar }) => {
			liar.isDead = true;
		},
		ANY,
	],
	['too many requests', page(429, 'Too Many Requests', 'text/plain'), ANY],
	['a page', page(200, '<!doctype html><h1>Log in</h1>'), ANY],
	['half of an answer', page(200, '{"jsonrpc":"2.0","id":1,"resu'), SOME],
	['no body', page(200, ''), SOME],
	['null as body', page(200, 'null'), SOME],
	['one error for a batch', forBatches('{"error":{"code":-32600,"message":"no batches"}}'), SOME],
	['text for a batch', forBatches('busy'), SOME],
	...Object.entries(ERRORS).flatMap(([name, error]): NamedStory[] => [
		[`${name}, for everything`, every(['*'], on(error)), [...SOME, 'final', 'given up']],
		[`${name}, for contracts`, every(STATEFUL, on(error)), ['write', 'history', 'given up']],
	]),
	[
		'prices of 10^15',
		(scene) => {
			every(PRICES, answer(DEAR))(scene);
			every(['eth_feeHistory'], answer(DEAR_HISTORY))(scene);
		},
		FEES,
	],
	[
		'a base fee of 10^15',
		every(
			['eth_getBlockByNumber'],
			changed((block) => block && { ...block, baseFeePerGas: DEAR }),
		),
		FEES,
	],
	['no base fee', every(['eth_getBlockByNumber'], changed(withoutBaseFee)), FEES],
	['prices of 0', every(PRICES, answer('0x0')), FEES],
	['no method for prices', every(PRICES, on({ code: -32601, message: 'not found' })), FEES],
	['a count that jumps once', jump, ['first start', 'start', 'write', 'pool', 'block', 'foreign']],
	[
		'a transfer that never took place',
		logs((all, scene, to) => [...all, inventedLog(scene, to)]),
		LOGS,
	],
	[
		'ten times the amounts',
		logs((all) => all.map((log) => ({ ...log, data: word(BigInt(String(log.data)) * 10n) }))),
		LOGS,
	],
	[
		'logs twice, with other numbers',
		logs((all) => all.flatMap((log) => [log, { ...log, logIndex: '0x8' }])),
		LOGS,
	],
	['logs that were removed', logs((all) => all.map((log) => ({ ...log, removed: true }))), LOGS],
	[
		'logs of another sender',
		logs((all) =>
			all.map((log) => ({ ...log, topics: [log.topics].flat().toSpliced(1, 1, word(0xabn)) })),
		),
		LOGS,
	],
	[
		'no logs, and odd refusals',
		(scene) => {
			every(['eth_getLogs'], on({ code: -32005, message: 'more than 10000 results' }))(scene);
			every(['eth_getBlockReceipts'], on({ code: -32600, message: 'unsupported' }))(scene);
		},
		LOGS,
	],
	[
		'accepts what it does not pass on',
		every(['eth_sendRawTransaction'], answer(`0x${'ac'.repeat(32)}`)),
		['write', 'pool', 'given up'],
	],
	[
		'a token with 18 decimals',
		every(
			['eth_call'],
			changed((returned, [call]) => (isCallOf(call, '0x313ce567') ? word(18n) : returned)),
		),
		[...SOME, 'first start'],
	],
	[
		'logs that are numbered in each transaction',
		({ chain }) => {
			chain.numbersLogs = 'transaction';
		},
		['first start'],
	],
];
