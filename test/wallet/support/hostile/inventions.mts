/** Lies of several methods that fit together: an endpoint that tells a whole story. */
import { toQuantity } from 'ethers';
import { answerOf } from '../scripted-answers.mts';
import { Refusal, senderOf } from '../scripted-block.mts';
import type { ScriptedChain } from '../scripted-chain.mts';
import type { Lie, ScriptedEndpoint } from '../scripted-endpoint.mts';
import { transactionForm } from '../scripted-forms.mts';
import { TOKEN } from '../scripted-service.mts';
import { fieldsOf, type Scene } from './scene.mts';

/** Makes the endpoint of a scene that lies tell a story. */
export type Story = (scene: Scene) => void;

const INVENTED = `0x${'1e'.repeat(32)}`;
/** What a block and a receipt have beside their places. */
const BLOCK = { parentHash: INVENTED, baseFeePerGas: '0x1', gasLimit: '0x1c9c380', gasUsed: '0x0' };
const RECEIPT = {
	to: TOKEN,
	gasUsed: '0x5208',
	cumulativeGasUsed: '0x5208',
	effectiveGasPrice: '0x1',
	logs: [],
	type: '0x2',
	logsBloom: '0x',
	contractAddress: null,
};

/** Changes what the endpoint answers honestly; refusals remain. */
export function changed(change: (result: unknown, params: readonly unknown[]) => unknown): Lie {
	return ({ params }, honest) => {
		const answer = honest();
		return 'result' in answer ? { result: change(answer.result, params) } : answer;
	};
}

const now = (): string => toQuantity(Math.floor(Date.now() / 1_000));

/** The transactions of the wallet that are in no block. */
const waitingIn = ({ chain, wallet }: Scene) =>
	[...chain.received.values()].filter((one) => {
		const isOwn = senderOf(one) === wallet.address.toLowerCase();
		return isOwn && !chain.find(one.hash ?? '');
	});

/** Has what waits stand in a block. @param at number of the block, by the newest one */
export const included =
	(at: (head: number) => number, status = '0x1'): Story =>
	(scene) => {
		const { liar, chain, wallet } = scene;
		const number = at(chain.head);
		const block = {
			number: toQuantity(BigInt(number)),
			hash: chain.blocks[number]?.hash ?? INVENTED,
		};
		const place = { blockNumber: block.number, blockHash: block.hash, transactionIndex: '0x0' };
		const receipt = { ...RECEIPT, ...place, status, from: wallet.address.toLowerCase() };
		const withTransactions = (honest: unknown, isFull: boolean) => {
			const { transactions = [], ...rest } = fieldsOf(honest);
			const forms = waitingIn(scene).map((one) =>
				isFull ? { ...transactionForm(one), ...place } : one.hash,
			);
			return {
				...BLOCK,
				timestamp: now(),
				...rest,
				...block,
				transactions: [transactions, forms].flat(),
			};
		};
		liar.lie(
			'eth_getTransactionCount',
			changed((count) => toQuantity(Number(count) + 1)),
		);
		liar.lie(
			'eth_getTransactionByHash',
			changed((honest) => honest && { ...honest, ...place }),
		);
		liar.lie(
			'eth_getTransactionReceipt',
			changed((honest, [of]) => honest ?? { ...receipt, transactionHash: of }),
		);
		liar.lie(
			'eth_getBlockByNumber',
			changed((honest, [which, isFull]) => {
				const isMeant = (fieldsOf(honest).number ?? which) === block.number;
				return isMeant ? withTransactions(honest, isFull === true) : honest;
			}),
		);
	};

/** Has another transaction of the wallet stand at the nonce that the chain waits for, in the newest block. */
export const replaced: Story = (scene) => {
	const { liar, chain, wallet } = scene;
	const number = toQuantity(chain.head);
	liar.lie(
		'eth_getTransactionCount',
		changed((count) => toQuantity(Number(count) + 1)),
	);
	liar.lie(
		'eth_getTransactionReceipt',
		changed((honest, [of]) => (of === scene.template.deposited ? honest : null)),
	);
	liar.lie(
		'eth_getBlockByNumber',
		changed((honest, [, isFull]) => {
			const { number: own, transactions = [] } = fieldsOf(honest);
			const [one] = waitingIn(scene);
			if (own !== number || !one) return honest;
			const place = {
				blockNumber: number,
				blockHash: fieldsOf(honest).hash,
				transactionIndex: '0x0',
			};
			const form = { ...transactionForm(one), ...place, hash: INVENTED, from: wallet.address };
			return {
				...fieldsOf(honest),
				transactions: [transactions, isFull === true ? form : INVENTED].flat(),
			};
		}),
	);
};

/** Shows the state of an older block, whatever block is asked for. @param hides methods */
export const oldState =
	(methods: readonly string[]): Story =>
	({ liar, chain, template }) => {
		for (const method of methods) {
			liar.lie(method, (request, honest) => {
				const { params } = request;
				const old = params.map((one) => (one === 'latest' ? toQuantity(template.chain.head) : one));
				try {
					return { result: answerOf(chain, { ...request, params: old }, template.chain.head) };
				} catch (error) {
					return error instanceof Refusal ? { error: error.error } : honest();
				}
			});
		}
	};

/** Never heard of the transactions that are newer than the beginning. */
export const hidden: Story = (scene) => {
	oldState([
		'eth_getTransactionReceipt',
		'eth_getTransactionByHash',
		'eth_getTransactionCount',
		'eth_getLogs',
		'eth_getBlockReceipts',
	])(scene);
	scene.liar.lie(
		'eth_getBlockByNumber',
		changed((honest) => honest && { ...honest, transactions: [] }),
	);
};

/** Receipts come late at every endpoint. */
export const lateEverywhere: Story = ({ liar, honest, template, chain }) => {
	for (const endpoint of [liar, honest]) {
		endpoint.lie(
			'eth_getTransactionReceipt',
			changed((receipt) => {
				const number = Number(fieldsOf(receipt).blockNumber ?? 0);
				return number > template.chain.head && number <= chain.head ? null : receipt;
			}),
		);
	}
};

/** Belongs to another chain. */
export const elsewhere =
	(make: (scene: Scene) => ScriptedChain): Story =>
	(scene) => {
		scene.liar.chain = make(scene);
	};

/** Reports blocks above the newest one, and shows them. */
export const ahead =
	(blocks: number): Story =>
	({ liar, chain }) => {
		const top = chain.head + blocks;
		const shown = (number: number) => ({
			...BLOCK,
			number: toQuantity(number),
			timestamp: now(),
			transactions: [],
			hash: `0x${number.toString(16).padStart(64, 'e')}`,
		});
		liar.lie('eth_blockNumber', () => ({ result: toQuantity(top) }));
		liar.lie(
			'eth_getBlockByNumber',
			changed((honest, [which]) =>
				String(which).startsWith('0x') ? (honest ?? shown(Number(which))) : shown(top),
			),
		);
	};

/** Every answer to some methods. */
export const every =
	(methods: readonly string[], lie: Lie): Story =>
	({ liar }) => {
		for (const method of methods) liar.lie(method, lie);
	};

/** Answers on the level of HTTP. */
export const byHttp =
	(...lie: Parameters<ScriptedEndpoint['lieByHttp']>): Story =>
	({ liar }) => {
		liar.lieByHttp(...lie);
	};
