/** Stories about transactions and chains. */
import { ScriptedChain } from '../scripted-chain.mts';
import {
	ahead,
	elsewhere,
	hidden,
	included,
	lateEverywhere,
	oldState,
	replaced,
} from './inventions.mts';
import type { NamedStory, Scene } from './scene.mts';

const BLOCKS = ['start', 'block', 'final', 'undone', 'foreign'] as const;
const ANY = [...BLOCKS, 'first start', 'write', 'pool', 'history'] as const;
const WAITING = ['pool', 'undone', 'start', 'write', 'given up'] as const;

/** Methods whose answers depend on the state of a block. */
const STATEFUL = [
	...['eth_getTransactionCount', 'eth_getBalance', 'eth_call', 'eth_getTransactionReceipt'],
	'eth_getLogs',
];

/** A chain with the same ID, but another first block. @param more number of blocks by which it is longer */
const twin = (more: number) => (scene: Scene) => {
	const { chainId, head } = scene.chain;
	return new ScriptedChain({ chainId, blocks: head + 1 + more, branch: 7 });
};

/** The same chain with other blocks at its end. @param length number of these blocks */
const branch = (undone: number, length: number) => (scene: Scene) => {
	const other = scene.chain.copy();
	other.isHeld = () => true;
	other.reorganise(undone);
	other.mine(length);
	other.blocks.splice(scene.chain.head + 1 - undone + length);
	return other;
};

export const STORIES_OF_CHAIN: readonly NamedStory[] = [
	['what waits is in the newest block', included((head) => head), WAITING],
	['what waits is in the newest block, reverted', included((head) => head, '0x0'), WAITING],
	['what waits is in a final block', included((head) => head - 10), WAITING],
	['what waits is in block 0', included(() => 0), ['pool', 'undone']],
	['what waits is in the next block', included((head) => head + 1), ['pool', 'undone']],
	['what waits is far above', included(() => 0x7ffffff0), WAITING],
	['what waits is above all numbers', included(() => 2 ** 53 + 2), ['pool', 'undone']],
	['another transaction took its place', replaced, WAITING],
	['nothing new ever happened', hidden, BLOCKS],
	['receipts are late everywhere', lateEverywhere, BLOCKS],
	['an old state', oldState(STATEFUL), [...BLOCKS, 'history', 'write']],
	[
		'an old state with its head',
		({ liar, chain, template }) => {
			liar.lag = chain.head - template.chain.head + 10;
		},
		ANY,
	],
	[
		'60 blocks behind',
		({ liar }) => {
			liar.lag = 60;
		},
		ANY,
	],
	['another chain that is longer', elsewhere(twin(500)), ANY],
	['another chain that is shorter', elsewhere(twin(-20)), ANY],
	['another chain ID', elsewhere(() => new ScriptedChain({ chainId: 7, blocks: 500 })), ANY],
	['another branch that is longer', elsewhere(branch(4, 10)), ANY],
	['another branch that is shorter', elsewhere(branch(6, 3)), ANY],
	['a million blocks ahead', ahead(1_000_000), ANY],
	['ten blocks ahead', ahead(10), ANY],
];
