/** A field that the service leaves out, or answers with null, is absent from every simplified item. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf, json } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, CONTRACT, TOKEN } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);

/** Only what the node needs: every other field is `nothing`. */
const answersWith = (nothing: undefined | null) => {
	const [symbol, name, network, chainId, explorerUrl] = Array.from({ length: 5 }, () => nothing);
	const balance = { balance: '5', decimals: 0, symbol, name, network, chainId };
	const amount = {
		valueBn: '5',
		decimals: 0,
		symbol,
		name,
		network,
		chainId,
		tokenAddress: nothing,
	};
	const to = { username: nothing, platform: nothing, address: BOB.address };
	const transfer = { type: nothing, to, amount, timestamp: nothing, explorerUrl };
	return {
		'/balance': { ETH: { ...balance, tokenAddress: nothing } },
		'/balance/0x': { a: { ...balance, tokenAddress: TOKEN } },
		'/history': [{ ...transfer, hash: hashOf(1) }],
		'/users/': { ...ALICE, provider: nothing, username: nothing, imageSrc: nothing },
		'/read': { response: '7', explorerUrl },
		'/write': { status: 'SUCCESS', hash: hashOf(2), explorerUrl, tx: nothing },
	};
};

const NATIVE = { resource: 'balance', operation: 'native' };
const TOKEN_BALANCE = { resource: 'balance', operation: 'token', token: TOKEN };
const READ = { operation: 'read', abi: 'cap() view returns (uint256)', args: undefined };
const OPERATIONS: Record<string, [parameters: IDataObject, fields: string]> = {
	'User: Get': [{ resource: 'user', operation: 'get' }, 'id address'],
	'Balance: Get Native': [NATIVE, 'userId amount baseUnits decimals tokenAddress'],
	'Balance: Get Native, compared': [
		{ ...NATIVE, compareWith: '4' },
		'userId amount comparison difference baseUnits decimals tokenAddress',
	],
	'Balance: Get Token': [TOKEN_BALANCE, 'userId amount baseUnits decimals tokenAddress'],
	'History: Get Many': [
		{ resource: 'history', operation: 'list' },
		'direction amount who toAddress hash userId',
	],
	'History: Find Transfer': [
		{ resource: 'history', operation: 'find', transactionHash: hashOf(1) },
		'summary seen matchedBy direction amount who toAddress hash userId checkedFor checkedAt',
	],
	'Contract: Read': [storeCall(CONTRACT, READ), 'value'],
	'Contract: Write': [
		storeCall(CONTRACT),
		'summary submitted hash contractAddress submittedAt userId',
	],
	'Token: Send': [
		sendOf({ tokenStandard: 'erc1155', pieceId: '7', amount: '5', recipient: BOB.address }),
		'summary amount tokenId recipient submitted hash to from tokenAddress submittedAt userId resolvedAddresses',
	],
};

describe.each([undefined, null])('%p', (nothing) => {
	beforeEach(() => {
		const answers = Object.entries(answersWith(nothing)).reverse();
		node.service.script = ({ path }) => {
			const fitting = answers.filter(([part]) => path.includes(part));
			const [, body] = fitting.sort(([one], [other]) => other.length - one.length)[0] ?? [];
			return json(body);
		};
	});

	const assertFields = (item: IDataObject | undefined, fields: string) => {
		expect(Object.keys(item ?? {}).join(' ')).toBe(fields);
		expect(JSON.stringify({ ...item, tokenAddress: '' })).not.toMatch(/undefined|null/);
	};

	test.each(Object.entries(OPERATIONS))('%s', async (_name, [parameters, fields]) => {
		const [item, ...others] = await node.items(parameters);
		expect(others).toEqual([]);
		assertFields(item, fields);
	});

	test.each([
		[
			{ event: 'balanceChanged', asset: 'native' },
			'userId amount previous difference direction baseUnits decimals tokenAddress',
		],
		[
			{ event: 'balanceCrossedThreshold', asset: 'token', token: TOKEN, threshold: '9' },
			'userId amount previous difference direction threshold crossed baseUnits decimals tokenAddress',
		],
		[
			{
				event: 'contractValue',
				contractAddress: CONTRACT,
				functionSource: 'signature',
				abi: READ.abi,
			},
			'value previous difference direction function args contractAddress',
		],
	])('the trigger with %j', async (parameters, fields) => {
		const options = { maxTries: 1, emitExisting: true };
		const [item] = (await poller({ ...parameters, options }).poll()) ?? [];
		assertFields(item, fields);
	});
});

test.each([
	['SANDBOX', 'sandbox'],
	['', ''],
	[5, '5'],
])('the network %j is %j', async (network, shown) => {
	const body = { ETH: { balance: '5', decimals: 0, network } };
	node.service.script = () => json(body);
	expect(await node.items(NATIVE)).toMatchObject([{ network: shown }]);
});
