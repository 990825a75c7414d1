/** The identity of a write: its place, the credential whose queue and budget it shares, and its canonical call. */
import type { IExecuteSingleFunctions, INode } from 'n8n-workflow';

import type { ContractCall } from '../../../nodes/WalletService/contract/call.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import { canonicalCall } from '../../../nodes/WalletService/writes/canonical-call.ts';
import { writeKey } from '../../../nodes/WalletService/writes/key.ts';
import { originOf, placeOf } from '../../../nodes/WalletService/writes/place.ts';

/** An n8n context for item 3 in run 2 of the node "Pay". */
function contextOf(node: Partial<INode> = {}, execution = '7', mode = 'trigger', runs = 'Pay') {
	const resumeUrl = `https://n8n.example/webhook-waiting/${execution}?signature=token`;
	const executeData = { node: { name: runs }, data: {}, source: null };
	const context = {
		getNode: () => ({ name: 'Pay', type: 'walletService', parameters: {}, ...node }),
		getItemIndex: () => 3,
		getExecutionId: () => execution,
		getMode: () => mode,
		getInstanceId: () => 'instance',
		getExecuteData: () => executeData,
		getInputData: () => undefined,
		getWorkflow: () => ({ id: 'w' }),
		getWorkflowDataProxy: () => ({ $runIndex: 2, $execution: { resumeUrl } }),
	};
	return { executeData, context: context as unknown as IExecuteSingleFunctions };
}

test('the place of a node is its execution, run and item', () => {
	const { context } = contextOf();
	expect(placeOf(context)).toEqual({ scope: '["w","token"]', node: 'Pay', run: 2, item: 3 });
	expect(originOf(context).budget).toBe('["w","token"]');
});

test('the place of a tool that n8n runs as a node is its run', () => {
	const { context } = contextOf({ type: 'walletServiceTool' });
	expect(placeOf(context)).toEqual({ scope: '["w","token"]', node: 'Pay', run: 2, item: 3 });
});

test('the place of another tool is the one call, whatever n8n counts; its budget is that of the execution', () => {
	const tool = { type: 'walletServiceTool' };
	const { context, executeData } = contextOf(tool, '7', 'trigger', 'Agent');
	const { scope, ...rest } = placeOf(context);
	expect(scope).toBe(executeData);
	expect(rest).toEqual({ node: 'Pay', run: 0, item: 3 });
	expect(originOf(context).budget).toBe('["w","token"]');
});

test('a Retry has the places of the first execution, whose token it shares', () => {
	expect(placeOf(contextOf({}, '8', 'retry').context).scope).toBe('["w","token"]');
});

test('without an execution, the budget is that of the call as well', () => {
	const { context, executeData } = contextOf({}, '');
	expect(placeOf(context).scope).toBe(executeData);
	expect(originOf(context).budget).toBe(executeData);
});

test('the key of a tool is that of its execution and its call, whatever node, run and item', () => {
	const tool = { type: 'walletServiceTool' };
	const keyOf = ({ context }: ReturnType<typeof contextOf>, ofTool = 'call') =>
		writeKey(context, placeOf(context), { ofTool }).first;
	const own = keyOf(contextOf(tool));
	const other = contextOf({ ...tool, name: 'Other' }, '8', 'retry', 'Other');
	Object.assign(other.context, { getItemIndex: () => 0 });
	expect(keyOf(other)).toBe(own);
	expect(keyOf(contextOf(tool, '7', 'trigger', 'Agent'))).toBe(own);
	expect(keyOf(contextOf(tool), 'another')).not.toBe(own);
	expect(keyOf(contextOf(tool, ''))).not.toBe(own);
});

test('the key of a write that is sent again is another one each time', () => {
	const { context } = contextOf();
	const keyOf = () => writeKey(context, placeOf(context), { sendsAgain: true }).first;
	expect(keyOf()).not.toBe(keyOf());
});

type Ids = Readonly<Record<string, string | null>>;
const both: Ids = { walletServiceApi: '1', walletServiceOAuth2Api: '1' };

test.each<[what: string, authentication: string, ids: Ids | undefined, key: string]>([
	['a pasted token', 'accessToken', both, '["walletServiceApi","1"]'],
	['a sign-in', 'oAuth2', both, '["walletServiceOAuth2Api","1"]'],
	['another', 'accessToken', { walletServiceApi: '2' }, '["walletServiceApi","2"]'],
	['none', 'accessToken', undefined, '["walletServiceApi",""]'],
	['another type', 'accessToken', { walletServiceOAuth2Api: '1' }, '["walletServiceApi",""]'],
	['one without an ID', 'accessToken', { walletServiceApi: null }, '["walletServiceApi",""]'],
])('the key of a credential: %s', (_what, authentication, ids, key) => {
	const given = Object.entries(ids ?? {}).map(([type, id]) => [type, { id, name: 'a' }]);
	const credentials = ids && Object.fromEntries(given);
	const { context } = contextOf({ parameters: { authentication }, credentials });
	expect(originOf(context).credentialKey).toBe(key);
});

const ADDRESS = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const TO = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512';
const TRANSFER = 'transfer(address,uint256)';

type Changes = Partial<ContractCall> & { readonly signature?: string; readonly baseUrl?: string };

function callOf({ signature = TRANSFER, baseUrl = 'https://w.example', ...more }: Changes = {}) {
	const contractFunction = parseSignature(signature);
	const call = { address: ADDRESS, abi: '', args: [TO, '5'], ...more };
	return canonicalCall(baseUrl, { call, contractFunction, resolvedAddresses: {} });
}

test.each<[what: string, isSame: boolean, changes: Changes]>([
	['names of arguments', true, { signature: 'transfer(address to, uint256 amount)' }],
	['the case of the contract', true, { address: ADDRESS.toLowerCase() }],
	['the case of an address', true, { args: ['0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512', '5'] }],
	['a value of nothing', true, { value: '0' }],
	['the text of the ABI', true, { abi: 'transfer(address,uint256) public' }],
	['the service', false, { baseUrl: 'https://other.example' }],
	['the contract', false, { address: TO }],
	['the function', false, { signature: 'approve(address,uint256)' }],
	['an argument', false, { args: [TO, '6'] }],
	['the value', false, { value: '1' }],
])('with another %s it is the same call: %s', (_what, isSame, changes) => {
	expect(callOf(changes).digest === callOf().digest).toBe(isSame);
});

test('the shown call is the call as written', () => {
	const shown = { contractAddress: ADDRESS, function: TRANSFER, args: [TO, '5'], value: '7' };
	expect(callOf({ value: '7' }).shown).toEqual(shown);
	expect(callOf().shown.value).toBe('0');
});
