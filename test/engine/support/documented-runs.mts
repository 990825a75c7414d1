import type { IDataObject } from 'n8n-workflow';

import type { HistoryEntry } from '../../../service/src/schemas/history.mts';
import type { Service } from '../../support/sandbox/service.mts';
import { userPath } from '../../support/sandbox/service.mts';
import { storeCall } from './contract-calls.mts';
import type { RunSettings } from './use-node.mts';
import { CONTINUE, RETRY } from './use-node.mts';

/** The run whose output a document shows: its parameters, and further settings. */
type DocumentedRun = readonly [parameters: IDataObject, settings?: RunSettings];

/**
 * What changes between the tries of two items: the second one calls a contract without the function in try 1, which the service
 * refuses, and the first one's number differs in try 2.
 */
function changingCalls(other: string, contract: string): IDataObject {
	let tries = 0;
	return {
		get number() {
			tries += 1;
			return String(tries);
		},
		get contract() {
			return tries < 2 ? other : contract;
		},
	};
}

/** Parameters with which each operation is run. */
function runsOf({ ready }: Service, transactionHash: string) {
	const [own, { id: recipient = '', address: wallet = '' } = {}] = ready.users;
	const { id: userId = '', address = '' } = own ?? {};
	const { usd, gold } = ready.contracts;
	const call = (operation: string, abi: string, ...args: string[]): IDataObject =>
		storeCall(usd, { operation, abi, args: JSON.stringify(args) });
	const balanceOf = 'balanceOf(address account) view returns (uint256)';
	const transfer = 'transfer(address to, uint256 amount) returns (bool)';
	return {
		user: { resource: 'user', operation: 'get', userId },
		native: { resource: 'balance', operation: 'native', userId },
		token: { resource: 'balance', operation: 'token', userId, token: usd },
		history: { resource: 'history', operation: 'list', userId, returnAll: true },
		find: {
			resource: 'history',
			operation: 'find',
			userId,
			token: gold,
			amount: '250',
			recipient: ready.users[4]?.id ?? '',
			options: { findBy: 'content', submittedAt: '2025-01-01T00:00:00Z' },
		},
		transaction: { resource: 'transaction', operation: 'get', transactionHash },
		send: { resource: 'token', operation: 'send', token: usd, recipient, amount: '1.5' },
		commonFunction: { ...call('read', '', userId), functionSource: 'commonFunction' },
		read: call('read', balanceOf, userId),
		readOfWallet: call('read', balanceOf, address),
		write: call('write', transfer, recipient, '1.5 * 10^6'),
		writeToWallet: call('write', transfer, wallet, '1.5 * 10^6'),
		wrongWrite: call('write', transfer, '0x12', '1'),
	};
}

/** The hash of the latest transfer of gold in the history of the first user. */
export async function latestHash({ as, user }: Service): Promise<string> {
	const { data } = await as('Nelly').get<HistoryEntry[]>(userPath(user(), '/history'));
	return data.find(({ amount }) => amount.symbol === 'SGLD')?.hash ?? '';
}

const RESOURCES = 'docs/resources';

/**
 * The runs behind every output that README and the documents show, by file and anchor of the section, with `/2` appended for
 * a second output of the section. No run changes the output of a later one.
 *
 * @param hash of a transaction (see `latestHash`)
 */
export function documentedRuns(
	service: Service,
	hash = '',
): Readonly<Record<string, DocumentedRun>> {
	const { shapes } = service.contracts;
	const { user, native, token, history, find, send, ...runs } = runsOf(service, hash);
	const raw = { simplify: false };
	const waitUntil = { until: { condition: 'atLeast', conditionValue: '2000 token' } };
	const abi = 'summary() public view returns (uint256 count, string name, bool open, address self)';
	const balance = `${RESOURCES}/balance.md#output-of-balance-get`;
	const ofHistory = `${RESOURCES}/history.md#output-of-history`;
	const contract = `${RESOURCES}/contract.md#output-of`;
	const ofRead = `${contract}-contract-read`;
	const ofWrite = `${contract}-contract-write`;
	return {
		[`${RESOURCES}/user.md#output-of-user-get`]: [user],
		'README.md#operations': [token],
		[`${balance}-native`]: [native],
		[`${balance}-token`]: [token],
		[`${balance}-token-with-compare-with`]: [{ ...token, compareWith: '2500' }],
		[`${balance}-token-without-simplify`]: [{ ...token, ...raw }],
		[`${ofHistory}-get-many`]: [history],
		[`${ofHistory}-get-many-as-totals`]: [
			{ ...history, returned: 'totals', filters: { since: '2026-01-01T00:00:00Z' } },
		],
		[`${ofHistory}-get-many-without-simplify`]: [{ ...history, ...raw }],
		[`${ofHistory}-find-transfer`]: [find],
		[`${RESOURCES}/transaction.md#output-of-transaction-get`]: [runs.transaction],
		[ofRead]: [runs.commonFunction],
		[`${ofRead}-with-named-returns`]: [{ ...runs.read, contractAddress: shapes, abi, args: '[]' }],
		[`${ofRead}-with-wait-until`]: [{ ...runs.readOfWallet, options: { waitUntil } }],
		[`${ofRead}-without-simplify`]: [{ ...runs.read, ...raw }],
		[`${contract}-a-preview`]: [{ ...runs.writeToWallet, preview: true }],
		[`${ofWrite}-without-simplify`]: [{ ...runs.write, ...raw }],
		[ofWrite]: [runs.write],
		[`${ofWrite}-that-an-earlier-try-sent`]: [
			storeCall(`={{ $json.isFirst ? "${shapes}" : $vars.contract }}`, {
				args: '={{ [$json.isFirst ? $vars.number : "3"] }}',
			}),
			{
				items: [{ isFirst: true }, {}],
				variables: changingCalls(service.ready.contracts.usd, shapes),
				node: { ...RETRY, maxTries: 2 },
			},
		],
		[`${RESOURCES}/token.md#output-of-token-send-without-sending`]: [{ ...send, preview: true }],
		[`${RESOURCES}/token.md#output-of-token-send`]: [send],
		[`${RESOURCES}/common.md#when-an-item-fails`]: [runs.wrongWrite, { node: CONTINUE }],
		'docs/errors.md#error-items-and-codes': [
			{ ...user, userId: '={{ $json.id }}' },
			{ items: [{ id: user.userId }, { id: 'DISCORD-404' }], node: CONTINUE },
		],
	};
}
