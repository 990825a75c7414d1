/** What an endpoint of a scripted chain answers, honestly. */
import { toQuantity } from 'ethers';
import type { RpcRequest } from './endpoint.mts';
import { Refusal, type ScriptedBlock } from './scripted-block.mts';
import type { ScriptedChain } from './scripted-chain.mts';
import { blockForm, blockLogForms, receiptForm, transactionForm } from './scripted-forms.mts';

/** The chain as an endpoint sees it. */
interface View {
	chain: ScriptedChain;
	/** The newest block that the endpoint has. */
	head: number;
	params: readonly unknown[];
}

const NOT_FOUND = new Refusal(-32000, 'header not found');

const fieldsOf = (value: unknown): Record<string, unknown> =>
	typeof value === 'object' && value !== null ? { ...value } : {};

/** A block by its number, its tag, or its hash. */
function blockOf({ chain, head }: View, which: unknown = 'latest'): ScriptedBlock | undefined {
	if (which === 'latest' || which === 'pending') return chain.blocks[head];
	if (which === 'earliest') return chain.blocks[0];
	if (which === 'finalized' || which === 'safe') {
		return chain.blocks[Math.max(0, head - chain.finalLag)];
	}
	const { blockHash, blockNumber = which } = fieldsOf(which);
	const text = String(blockHash ?? blockNumber);
	const known = chain.blocks.slice(0, head + 1);
	return text.length === 66 ? known.find(({ hash }) => hash === text) : known[Number(text)];
}

/** @throws Refusal if the endpoint does not have the block */
function stateAt(view: View, which: unknown): number {
	const block = blockOf(view, which);
	if (!block) throw NOT_FOUND;
	return block.number;
}

const matches = (wanted: unknown, topic: string | undefined): boolean =>
	wanted === null ||
	wanted === undefined ||
	[wanted].flat().some((one) => String(one).toLowerCase() === topic?.toLowerCase());

function logs(view: View) {
	const { address, topics, fromBlock, toBlock, blockHash } = fieldsOf(view.params[0]);
	const [from, to] = blockHash === undefined ? [fromBlock, toBlock] : [blockHash, blockHash];
	const last = Math.min(stateAt(view, to), view.head);
	const wanted = Array.isArray(topics) ? topics : [];
	const found = view.chain.blocks.slice(stateAt(view, from), last + 1);
	return found
		.flatMap((block) => blockLogForms(view.chain, block))
		.filter((log) => {
			const own = [log.topics].flat().map(String);
			const areEqual = wanted.every((one, place) => matches(one, own[place]));
			return areEqual && matches(address, String(log.address));
		});
}

function call(view: View): string {
	const { from, to, data, input } = fieldsOf(view.params[0]);
	const called = { to: String(to).toLowerCase(), data: String(data ?? input ?? '0x') };
	const asked = { from: String(from ?? '').toLowerCase(), ...called };
	return view.chain.call(asked, stateAt(view, view.params[1]));
}

function estimate(view: View): string {
	call({ ...view, params: [view.params[0]] });
	const { data = '0x' } = fieldsOf(view.params[0]);
	return toQuantity(data === '0x' ? 21_000n : view.chain.gas);
}

function feeHistory({ chain, head, params: [count] }: View) {
	const blocks = chain.blocks.slice(0, head + 1).slice(-Number(count));
	const fees = [...blocks.map(({ baseFee }) => baseFee), chain.baseFee];
	return {
		oldestBlock: toQuantity(blocks[0]?.number ?? 0),
		baseFeePerGas: fees.map((fee) => toQuantity(fee)),
		gasUsedRatio: blocks.map(() => 0.5),
		reward: blocks.map(() => [toQuantity(chain.tip)]),
	};
}

function blockReceipts(view: View) {
	const block = blockOf(view, view.params[0]);
	if (!block) return null;
	return block.included.map((one, index) => receiptForm(view.chain, { block, one, index }));
}

function transactionIn(view: View) {
	const block = blockOf(view, view.params[0]);
	const index = Number(view.params[1]);
	const one = block?.included[index];
	return block && one ? transactionForm(one.transaction, { block, index }) : null;
}

function transaction({ chain, head, params: [hash] }: View) {
	const found = chain.find(String(hash), head);
	if (found) return transactionForm(found.one.transaction, found);
	const waiting = chain.pool.get(String(hash));
	return waiting ? transactionForm(waiting) : null;
}

function receipt({ chain, head, params: [hash] }: View) {
	const found = chain.find(String(hash), head);
	return found ? receiptForm(chain, found) : null;
}

function block(view: View) {
	const found = blockOf(view, view.params[0]);
	return found ? blockForm(found, view.params[1] === true) : null;
}

const METHODS: Record<string, (view: View) => unknown> = {
	eth_chainId: ({ chain }) => toQuantity(chain.chainId),
	net_version: ({ chain }) => String(chain.chainId),
	eth_syncing: () => false,
	eth_blockNumber: ({ head }) => toQuantity(head),
	eth_getBlockByNumber: block,
	eth_getBlockByHash: block,
	eth_getBlockReceipts: blockReceipts,
	eth_getTransactionByHash: transaction,
	eth_getTransactionByBlockHashAndIndex: transactionIn,
	eth_getTransactionByBlockNumberAndIndex: transactionIn,
	eth_getTransactionReceipt: receipt,
	eth_getLogs: logs,
	eth_call: call,
	eth_estimateGas: estimate,
	eth_feeHistory: feeHistory,
	eth_gasPrice: ({ chain }) => toQuantity(chain.baseFee + chain.tip),
	eth_maxPriorityFeePerGas: ({ chain }) => toQuantity(chain.tip),
	eth_getCode: ({ chain, params: [address] }) => chain.codeAt(String(address)),
	eth_sendRawTransaction: ({ chain, params: [raw] }) => chain.send(String(raw)),
	eth_getBalance: (view) =>
		toQuantity(view.chain.balanceAt(String(view.params[0]), stateAt(view, view.params[1]))),
	eth_getTransactionCount: (view) =>
		toQuantity(view.chain.countAt(String(view.params[0]), stateAt(view, view.params[1]))),
};

/** The methods that endpoints of a scripted chain know. */
export const KNOWN_METHODS = Object.keys(METHODS);

/**
 * The honest answer to a request.
 *
 * @param head the newest block that the endpoint has
 * @throws Refusal
 */
export function answerOf(
	chain: ScriptedChain,
	{ method, params }: RpcRequest,
	head = chain.head,
): unknown {
	const answer = METHODS[method];
	if (answer) return answer({ chain, head, params });
	throw new Refusal(-32601, `the method ${method} does not exist/is not available`);
}
