import type { IDataObject } from 'n8n-workflow';

import { fillRoute, ROUTES } from '../request/http/routes';
import type { ServiceClient } from '../request/http/service-client';
import type { ReadParameter } from '../request/run/read-parameter';
import type { TransferFilter } from '../resources/history/filter';
import {
	checkFilter,
	DIRECTIONS,
	matchesDirection,
	matchesWhat,
} from '../resources/history/filter';
import { NOT_KNOWN, transferItem } from '../resources/history/transfer';
import { LookUps } from '../resources/look-ups/look-ups';
import { lookUpUser } from '../resources/look-ups/user-addresses';
import { parseTokenFilter, parseTokenOrAll } from '../resources/read-token';
import { parseChoice } from '../values/choice';
import { formatDecimal } from '../values/decimal';
import { defined } from '../values/objects';
import { advanceTransfers } from './advance-transfers';
import type { Observation, TimedItem, WatchedEvent } from './observation';
import { chainIdOf, isElsewhere, wholeAmount } from './observation';
import type { WalletState } from './state';
import type { WatchedTransfer } from './watched-transfers';
import { requestWatchedTransfers } from './watched-transfers';

const MAY_BE_MISSING =
	'Transfers before this one may be missing: more came since the last poll than the service lists';

/**
 * The wallet's address at the last poll, unless there is a new transfer to another address: a service can assign a user a
 * new wallet, whose incoming transfers would otherwise count as sent.
 */
function lastAddress(
	{ address, transfers: known }: WalletState,
	transfers: readonly WatchedTransfer[],
): string | undefined {
	const isOfAnother = ({ transfer }: WatchedTransfer) => transfer.toAddress !== address;
	const rules = { matches: isOfAnother, emitExisting: true };
	return advanceTransfers(known, transfers, rules).fresh.length === 0 ? address : undefined;
}

const NO_ADDRESS = `0x${'0'.repeat(40)}`;

/** Makes up a transfer that matches the filter, for building a workflow. */
async function exampleTransfer(
	{ direction, tokenAddress = NO_ADDRESS, minimumAmount }: TransferFilter,
	client: ServiceClient,
	userId: string,
): Promise<IDataObject> {
	const lookUps = new LookUps(client, tokenAddress);
	const isOfAny = tokenAddress === NO_ADDRESS;
	const { symbol = NOT_KNOWN } = isOfAny ? { symbol: 'EXAMPLE' } : await lookUps.tokenInWords();
	return {
		sample: 'A made-up example: no transfer of the watched wallets matches yet',
		timestamp: '2000-01-01T00:00:00.000Z',
		direction: direction === 'sent' ? direction : 'received',
		amount: minimumAmount?.digits ? formatDecimal(minimumAmount) : '1.5',
		symbol,
		who: NOT_KNOWN,
		explorerUrl: NOT_KNOWN,
		toAddress: NO_ADDRESS,
		tokenAddress,
		hash: `0x${'0'.repeat(64)}`,
		userId,
		gapPossible: false,
	};
}

/**
 * Reads the event *New Transfer*.
 *
 * @param version of the node: in the first one, an empty token meant all
 * @throws InvalidInputError that names the invalid parameter.
 */
export function watchTransfers(
	read: ReadParameter,
	emitExisting: boolean,
	version: number,
): WatchedEvent {
	const parse = version === 1 ? parseTokenFilter : parseTokenOrAll;
	const filter = checkFilter({
		direction: parseChoice(read('direction', ''), DIRECTIONS, 'direction'),
		tokenAddress: parse(read('token', ''))?.toLowerCase(),
		minimumAmount: wholeAmount(read, 'minimumAmount'),
	});
	return {
		fingerprint: [filter.tokenAddress],
		example: async (client, userId) => await exampleTransfer(filter, client, userId),
		observe: async (...asked) => await observeTransfers(filter, emitExisting, ...asked),
	};
}

async function observeTransfers(
	filter: TransferFilter,
	emitExisting: boolean,
	...[client, userId, state = {}]: Parameters<WatchedEvent['observe']>
): Promise<Observation> {
	const url = fillRoute(ROUTES.history.url, { userId });
	const { transfers, isWhole } = await requestWatchedTransfers(client, url, state.transfers);
	const chainId = chainIdOf(transfers.map(({ transfer }) => transfer.token.chainId));
	const known = isElsewhere(state, chainId) ? {} : state;
	const address =
		lastAddress(known, transfers) ?? (await lookUpUser(userId, client)).address.toLowerCase();
	const matches = ({ transfer }: WatchedTransfer): boolean =>
		matchesWhat(transfer, filter) && matchesDirection(transfer, filter, address);
	const toItem = ({ time, transfer }: WatchedTransfer, gapPossible: boolean): TimedItem => {
		const warning = gapPossible ? MAY_BE_MISSING : undefined;
		const json = { ...transferItem(transfer, userId, address), gapPossible };
		return { time, json: { ...json, ...defined({ warning }) } };
	};
	return {
		chainId,
		advance(before) {
			const rules = { matches, emitExisting, isWhole };
			const step = advanceTransfers(before.transfers, transfers, rules);
			return {
				state: { address, transfers: step.state },
				items: step.fresh.map((one) => toItem(one, step.gapPossible)),
				mustBeSaved: before.transfers === undefined,
			};
		},
		sample() {
			const latest = transfers.filter(matches).at(-1);
			return latest && toItem(latest, false);
		},
	};
}
