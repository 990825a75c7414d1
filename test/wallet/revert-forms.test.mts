/** How clients write that a contract reverted, and what endpoints write that is not a contract's word. */
import { Interface } from 'ethers';
import { revertDataIn } from '../../service/src/rpc/revert-data.mts';

const reasonOf = (text: string) =>
	new Interface(['error Error(string)']).encodeErrorResult('Error', [text]);
const REASON = reasonOf('paused');
const CUSTOM = '0x7a933234';
const HASH = `0x${'ab'.repeat(32)}`;
const VM = 'VM Exception while processing transaction:';
const HARDHAT = `Error: ${VM} reverted with reason string 'paused'`;
const BACKTRACE = '00: f014155 (method 6) -- contract reverted at 75 (33)\n (RetCode=33)';
const LOTUS = `message execution failed (exit=[33], revert reason=[message failed with backtrace:\n${BACKTRACE}]`;
const KEYED = { [HASH]: { error: 'revert', return: CUSTOM }, name: 'Error' };
const GANACHE = { hash: HASH, programCounter: 889, result: CUSTOM, reason: null };

/** Where the form was reported; code, message and data of the error. */
type Form = [source: string, code: number, message: string, data?: unknown];

/** Forms by the data that the contract returned. */
const REVERTS: Record<string, Form[]> = {
	[CUSTOM]: [
		['ethereum/execution-apis#232', 3, 'execution reverted', CUSTOM],
		['cowprotocol/watch-tower#11', -32015, 'VM execution error.', `Reverted ${CUSTOM}`],
		['NethermindEth/nethermind#11095', -32000, `execution reverted: ${CUSTOM}`],
		['NomicFoundation/hardhat#8310', 3, 'execution reverted', { txHash: HASH, data: CUSTOM }],
		['ConsenSys-archive/ganache#2186', -32000, `${VM} revert`, GANACHE],
		['cowprotocol/ethcontract-rs#92', -32000, `${VM} revert`, KEYED],
		['polkadot-evm/frontier#168', -32603, 'evm revert: Reverted', CUSTOM.slice(2)],
		['filecoin-project/lotus#13389', 1, `${LOTUS}, vm error=[${CUSTOM}])`],
		['filecoin-project/lotus#13467', 11, `${LOTUS}, vm error=[none])`, CUSTOM],
		['ChainSafe/forest#4554', 1, `exit 33, revert reason: ${CUSTOM}, vm error: ${BACKTRACE}`],
		[
			'hiero-ledger/hiero-json-rpc-relay#2457',
			-32008,
			'[Request ID: bf1be79b] execution reverted: CONTRACT_REVERT_EXECUTED',
			CUSTOM,
		],
		[
			'aurora-is-near/aurora-relayer#248',
			-32603,
			'[ethjs-query] while formatting outputs',
			{ code: 3, message: 'execution reverted', data: CUSTOM },
		],
		['matter-labs/zksync-os-server#450', 3, 'execution reverted', CUSTOM],
	],
	[REASON]: [
		['ethereum/go-ethereum#21886', 3, 'execution reverted: paused', REASON],
		['wevm/viem#4092', -32000, 'execution reverted', REASON],
		['cowprotocol/ethcontract-rs#905', -32015, `Reverted ${REASON}`],
		[
			'NomicFoundation/hardhat#8310, before',
			-32603,
			HARDHAT,
			{ message: HARDHAT, txHash: HASH, data: REASON },
		],
		['LFDT-web3j/web3j#966', -32000, `${VM} revert paused`],
		['besu-eth/besu#1829', -32000, 'Execution reverted', REASON],
		['rsksmart/rskj#1299', -32015, `${VM} revert paused`],
		['rsksmart/rskj#2281', -32015, `${VM} revert paused`, REASON],
		['moonbeam-foundation/moonbeam#697', -32603, `${VM} revert paused`, REASON.slice(2)],
		['filecoin-project/lotus#10295', 1, `${BACKTRACE}, vm error=[Error(paused)]`],
		['tronprotocol/java-tron#4570', -32000, 'REVERT opcode executed', REASON],
		['klaytn/klaytn#1134', 3, 'execution reverted: paused', REASON],
		['0xPolygon/zkevm-node#2026', -32000, 'execution reverted: paused'],
		[
			'godwokenrises/godwoken-web3#437',
			-32099,
			`revert: ${HARDHAT}`,
			{ failed_reason: { status_code: '0x2' }, message: 'revert', data: REASON },
		],
		['Conflux-Chain/conflux-rust#1198', -32015, 'Transaction reverted', `"${REASON}"`],
		['the data of an error alone', -32603, 'Internal error', REASON],
		['the data of an error in capitals', 3, '', REASON.toUpperCase().replace('X', 'x')],
	],
	'0x': [
		['ethereum/go-ethereum#31456', -32000, 'execution reverted'],
		['NethermindEth/nethermind#5740', -32015, 'VM execution error.', 'Reverted 0x'],
		['NethermindEth/nethermind#2098', -32015, 'VM execution error.', 'revert'],
		['NethermindEth/nethermind#4761', -32015, 'revert'],
		['ConsenSys-archive/ganache#480', -32000, 'execution error: revert'],
		['besu-eth/besu#1478', -32000, 'Execution reverted'],
		['erigontech/erigon#17132', 3, 'execution reverted', '0x'],
		['rsksmart/rskj#724', -32015, `${VM} transaction reverted`],
		['ChainSafe/forest#4554', 1, `exit 33, revert reason: none, vm error: ${BACKTRACE}`],
		['tronprotocol/java-tron#6330', -32000, 'REVERT opcode executed', '{}'],
		['klaytn/klaytn#1195', -32000, 'err: evm: execution reverted (supplied gas 922337203)'],
		['ethers-io/ethers.js#1493', -32600, 'execution was reverted'],
		[
			'hiero-ledger/hiero-json-rpc-relay#4862',
			3,
			'execution reverted: CONTRACT_REVERT_EXECUTED',
			'0x',
		],
		['hiero-ledger/hiero-json-rpc-relay#492', -32000, 'status CONTRACT_REVERT_EXECUTED'],
		['skalenetwork/skaled#1931', -32000, 'EVM revert instruction without description message'],
		['the code alone', 3, 'failed'],
	],
};

describe.each(Object.entries(REVERTS))('a contract that reverted with %s', (expected, forms) => {
	test.each(forms)('%s', (...[, code, message, data]: Form) => {
		expect(revertDataIn({ code, message, data })).toBe(expected);
	});
});

const PLAN = 'this endpoint reverted to the free plan';
const TOO_MANY = '429 Too Many Requests: {"error":{"code":-32016,"message":"revert later"}}';

const REFUSALS: Form[] = [
	['EIP-1474', -32005, 'exceeded project rate limit'],
	['a status as code', 429, PLAN, CUSTOM],
	['a limit that says revert', -32005, `execution reverted, ${PLAN}`, REASON],
	['an endpoint that reverted to something', -32000, PLAN],
	['EspressoSystems/espresso-network#4838', -32007, '50/second limit, reverted'],
	['base/node#368', -32000, TOO_MANY],
	['reown-com/blockchain-api#1102', -32029, 'limit, reverted', '0x'],
	['across-protocol/relayer#1885', -32000, 'header not found'],
	['besu-eth/besu#1207', -32603, 'Internal error'],
	['NomicFoundation/hardhat#8043', -32603, 'Internal error', { message: 'Internal error' }],
	['cosmos/ethermint#484', -32000, 'internal'],
	['gas', -32000, 'out of gas'],
	['graphprotocol/graph-node#1744', -32000, 'invalid opcode: INVALID'],
	['graphprotocol/graph-node#1155', -32015, 'VM execution error.', 'Bad instruction fd'],
	['polkadot-evm/frontier#168', -32603, 'evm error: OutOfGas', '0x'],
	['ApeWorX/web3.py#721', -32000, 'gas required exceeds allowance or always failing transaction'],
	['a hash as data', -32001, 'block not found', HASH],
	['another word', -32000, 'irreversible, revertible, unreverted'],
	['the word in an address', -32000, 'bad gateway https://rpc.example/revert/key'],
];

test.each(REFUSALS)('%s: not the word of a contract', (...[, code, message, data]: Form) => {
	expect(revertDataIn({ code, message, data })).toBeUndefined();
});

test('a reason in words keeps no address of the endpoint', () => {
	const message = 'execution reverted: see https://rpc.example/key';
	expect(revertDataIn({ code: -32000, message })).toBe(reasonOf('see '));
});
