import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { Service } from '../../support/sandbox/service.mts';

/** How an output came about that a document shows. */
export interface DocumentedRun {
	/** File and anchor of the section that shows it; `/2` behind it for the second one of a section. */
	readonly shownAt: string;
	readonly parameters: INodeParameters;
	/** Input items; one empty item unless given. */
	readonly items?: readonly IDataObject[];
	readonly node?: Partial<INode>;
	/** n8n's variables. */
	readonly variables?: IDataObject;
}

const RESOURCES = 'docs/resources';

/** Numbers for two items, of which the second is none at the first try; at the next one, the first is another number. */
function changingNumbers(): IDataObject {
	let isSecondTry = false;
	let hasFailed = false;
	return {
		get first() {
			isSecondTry ||= hasFailed;
			return isSecondTry ? '2' : '1';
		},
		get second() {
			hasFailed ||= !isSecondTry;
			return isSecondTry ? '3' : 'none';
		},
	};
}

/**
 * Every output that README and the documents show, in an order in which none changes what a later one shows.
 */
export function documentedRuns({ ready }: Service): DocumentedRun[] {
	const [{ id: userId = '' } = {}, { id: receiver = '', address: receivingWallet = '' } = {}] =
		ready.users;
	const { usd, gold, shapes } = ready.contracts;
	const user = { resource: 'user', operation: 'get', userId };
	const native = { resource: 'balance', operation: 'native', userId };
	const token = { resource: 'balance', operation: 'token', userId, token: usd };
	const history = { resource: 'history', operation: 'list', userId, returnAll: true };
	const find = {
		...{ resource: 'history', operation: 'find', userId, token: gold, amount: '250' },
		recipient: ready.users[4]?.id ?? '',
		options: { findBy: 'content', submittedAt: '2025-01-01T00:00:00Z' },
	};
	const call = (operation: string, abi: string, ...args: string[]): INodeParameters => ({
		resource: 'contract',
		functionSource: 'signature',
		operation,
		contractAddress: usd,
		abi,
		argumentsMode: 'json',
		args: JSON.stringify(args),
	});
	const store = (args: string): INodeParameters => ({
		...call('write', 'store(uint256)'),
		contractAddress: shapes,
		args,
	});
	const balanceOf = 'balanceOf(address account) view returns (uint256)';
	const transfer = 'transfer(address to, uint256 amount) returns (bool)';
	const amount = '1.5 * 10^6';
	const send = {
		resource: 'token',
		operation: 'send',
		token: usd,
		recipient: receiver,
		amount: '1.5',
	};
	const raw = { simplify: false };
	const goOn = { node: { onError: 'continueRegularOutput' } } as const;
	const { address } = ready.users[0] ?? { address: '' };
	return [
		{ shownAt: `${RESOURCES}/user.md#output-of-user-get`, parameters: user },
		{ shownAt: 'README.md#operations', parameters: token },
		{ shownAt: `${RESOURCES}/balance.md#output-of-balance-get-native`, parameters: native },
		{ shownAt: `${RESOURCES}/balance.md#output-of-balance-get-token`, parameters: token },
		{
			shownAt: `${RESOURCES}/balance.md#output-of-balance-get-token-with-compare-with`,
			parameters: { ...token, compareWith: '2500' },
		},
		{
			shownAt: `${RESOURCES}/balance.md#output-of-balance-get-token-without-simplify`,
			parameters: { ...token, ...raw },
		},
		{ shownAt: `${RESOURCES}/history.md#output-of-history-get-many`, parameters: history },
		{
			shownAt: `${RESOURCES}/history.md#output-of-history-get-many-without-simplify`,
			parameters: { ...history, ...raw },
		},
		{
			shownAt: `${RESOURCES}/history.md#output-of-history-find-transfer`,
			parameters: find,
		},
		{
			shownAt: `${RESOURCES}/contract.md#output-of-contract-read`,
			parameters: { ...call('read', '', userId), functionSource: 'commonFunction' },
		},
		{
			shownAt: `${RESOURCES}/contract.md#output-of-contract-read-with-named-returns`,
			parameters: {
				...call(
					'read',
					'summary() public view returns (uint256 count, string name, bool open, address self)',
				),
				contractAddress: shapes,
			},
		},
		{
			shownAt: `${RESOURCES}/contract.md#output-of-contract-read-with-wait-until`,
			parameters: {
				...call('read', balanceOf, address),
				options: { waitUntil: { until: { condition: 'atLeast', conditionValue: '2000 token' } } },
			},
		},
		{
			shownAt: `${RESOURCES}/contract.md#output-of-contract-read-without-simplify`,
			parameters: { ...call('read', balanceOf, userId), ...raw },
		},
		{
			shownAt: `${RESOURCES}/contract.md#output-of-a-preview`,
			parameters: {
				...call('write', transfer, receivingWallet, amount),
				preview: true,
			},
		},
		{
			shownAt: `${RESOURCES}/contract.md#output-of-contract-write-without-simplify`,
			parameters: { ...call('write', transfer, receiver, amount), ...raw },
		},
		{
			shownAt: `${RESOURCES}/contract.md#output-of-contract-write`,
			parameters: call('write', transfer, receiver, amount),
		},
		{
			shownAt: `${RESOURCES}/contract.md#output-of-contract-write-that-an-earlier-try-sent`,
			parameters: store('={{ [$json.isFirst ? $vars.first : $vars.second] }}'),
			items: [{ isFirst: true }, {}],
			variables: changingNumbers(),
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		},
		{
			shownAt: `${RESOURCES}/token.md#output-of-token-send-without-sending`,
			parameters: { ...send, preview: true },
		},
		{ shownAt: `${RESOURCES}/token.md#output-of-token-send`, parameters: send },
		{
			shownAt: `${RESOURCES}/common.md#when-an-item-fails`,
			parameters: call('write', transfer, '0x12', '1'),
			...goOn,
		},
		{
			shownAt: 'docs/errors.md#error-items-and-codes',
			parameters: { ...user, userId: '={{ $json.id }}' },
			items: [{ id: userId }, { id: 'DISCORD-404' }],
			...goOn,
		},
	];
}
