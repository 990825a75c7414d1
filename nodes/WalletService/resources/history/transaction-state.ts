import type { IDataObject } from 'n8n-workflow';

import { NOT_FOUND } from '../../request/failure/http-status';
import { ServiceError } from '../../request/failure/service-error';
import { asClause, asSentences, wordsIn } from '../../request/failure/service-text';
import type { Received } from '../../request/http/answer';
import { answeredBefore, isMarkup, successOf, unexpectedAnswer } from '../../request/http/answer';
import { fillRoute, ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { describeService } from '../../request/http/service-description';
import { isHash } from '../../values/hashes';
import type { Problem } from '../../values/invalid-input';
import { isItem } from '../../values/objects';
import { inOneLine } from '../../values/quote';
import type { HistoryEntry } from './transfer';
import { givenEntries, readEntry, transfersInWords } from './transfer';

/**
 * CANCELLED: an empty transaction of the service took its place, FOREIGN: one that another program signed, for good.
 */
const STATUSES = ['PENDING', 'SUCCESS', 'REVERTED', 'CANCELLED', 'FOREIGN'] as const;

/** What a service reports about a transaction. */
export interface TransactionState {
	/** The service's JSON, unchanged. */
	readonly answer: IDataObject;
	readonly status: (typeof STATUSES)[number];
	/** Whether no reorganisation of the chain changes it any more. */
	readonly isFinal: boolean;
	/** The transaction that is in a block, lower case; another one after a replacement. */
	readonly minedHash?: string;
	/** Why it is pending, or what is not certain of it, in the service's words; absent if it states neither. */
	readonly note?: string;
	/** The words of an endpoint of the network that refused it; absent if none did. */
	readonly lastRefusal?: string;
	/** Of a transaction that succeeded, or what a reverted one asked for, as far as the service reports it. */
	readonly transfers: readonly HistoryEntry[];
}

/** A text of strangers, for a sentence; `undefined` for anything else. */
const clauseOf = (value: unknown): string | undefined =>
	(typeof value === 'string' && asClause(wordsIn(value))) || undefined;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Reads the state of a transaction. @throws ServiceError that names the malformed field; another hash is malformed. */
function stateIn(answer: unknown, hash: string): TransactionState {
	const given = isItem(answer) ? answer : {};
	const { status: name, final: isFinal } = given;
	const status = STATUSES.find((one) => one === name);
	const isInBlock = status !== 'PENDING' && status !== 'FOREIGN';
	const isValid = {
		hash: isHash(given.hash) && given.hash.toLowerCase() === hash,
		status: status !== undefined,
		final: typeof isFinal === 'boolean',
		confirmations: isCount(given.confirmations),
		minedHash: !isInBlock || isHash(given.minedHash),
		blockNumber: !isInBlock || isCount(given.blockNumber),
		revertReason: status !== 'REVERTED' || typeof given.revertReason === 'string',
	};
	const [odd] = Object.entries(isValid).find(([, isRight]) => !isRight) ?? [];
	if (odd !== undefined || status === undefined) {
		const value = isItem(answer) && odd !== undefined ? answer[odd] : answer;
		throw unexpectedAnswer(`a valid "${odd}" of the transaction ${hash}`, value);
	}
	// What is in no block is not final, and what is final is below another block.
	const isContradiction =
		isFinal === true && (status === 'PENDING' || (isInBlock && given.confirmations === 0));
	if (isContradiction) {
		const facts = { status, final: isFinal, confirmations: given.confirmations };
		throw unexpectedAnswer(
			`a state of the transaction ${hash} that does not contradict itself`,
			facts,
		);
	}
	const asked = status === 'REVERTED' ? (given.intended ?? []) : [];
	const listed = status === 'SUCCESS' ? given.transfers : asked;
	const transfers = givenEntries(listed).map(readEntry);
	const minedHash = isHash(given.minedHash) ? given.minedHash.toLowerCase() : undefined;
	const words = { note: clauseOf(given.note), lastRefusal: clauseOf(given.lastRefusal) };
	return { answer: given, status, isFinal: isFinal === true, minedHash, transfers, ...words };
}

const notSupported = (): ServiceError =>
	new ServiceError({
		message:
			'This service does not report what became of a transaction: use History: Find Transfer',
		hint: 'It checks whether a transfer is listed, also by the hash of its transaction',
		code: 'not-supported',
	});

/** Refuses a service that does not report transactions. @throws ServiceError also if it cannot be asked. */
export async function assertReported(client: ServiceClient): Promise<void> {
	if (!(await describeService(client)).reportsTransactions) throw notSupported();
}

/**
 * Asks the service what became of a transaction.
 *
 * @param hash lower case
 * @returns `undefined` if the service does not know it
 * @throws ServiceError
 */
export async function askTransaction(
	hash: string,
	client: ServiceClient,
): Promise<TransactionState | undefined> {
	const url = fillRoute(ROUTES.transaction.url, { hash });
	const read = (received: Received) => {
		const { response, text, value } = received;
		const isOfService = !isMarkup(text) && answeredBefore(received) === undefined;
		if (response.statusCode === NOT_FOUND && isOfService) {
			if (isItem(value) && value.code === 'unknown_transaction') return undefined;
			throw notSupported();
		}
		return stateIn(successOf(received, url), hash);
	};
	return await client.send({ method: 'GET', url }, { read });
}

/**
 * Asks for a transaction that a history does not list.
 *
 * @returns its state if it is pending, has ended without effect, or succeeded by another hash; `undefined` if it may be listed
 *   a moment later, or the service cannot tell
 */
export async function askUnlisted(
	hash: string,
	client: ServiceClient,
): Promise<TransactionState | undefined> {
	const { reportsTransactions } = await describeService(client);
	const state = reportsTransactions ? await askTransaction(hash, client) : undefined;
	const mayBeListed = state?.status === 'SUCCESS' && state.minedHash === hash;
	return mayBeListed ? undefined : state;
}

/** The state in words; those of a transaction that is in no block state the wait. @param duration in words */
export function stateInWords({ answer, ...state }: TransactionState, duration: string): string {
	const { status, isFinal, transfers, note, lastRefusal } = state;
	const block = `block ${String(answer.blockNumber)}`;
	const named = transfers.length === 0 ? '' : transfersInWords(transfers);
	const what = named && `: ${named}`;
	const doubt = note ?? '';
	const reverted = asSentences([named, clauseOf(answer.revertReason) ?? '', doubt]);
	const effect = isFinal
		? 'it has no effect'
		: 'this is not final, so it may still be carried out; do not resend because of this';
	const open =
		note === undefined ? `Not in a block yet, ${duration}` : `Pending, ${duration}: ${note}`;
	const pending = [
		open,
		lastRefusal === undefined ? '' : `An endpoint of the network refused it: ${lastRefusal}`,
		'It may still be carried out; do not resend because of this',
	];
	const words = {
		PENDING: asSentences(pending),
		SUCCESS: asSentences([`Succeeded${what}, ${block}`, doubt]),
		REVERTED: `Reverted${reverted && `: ${reverted}`}`,
		CANCELLED: `Cancelled by an empty transaction in its place, ${block}: ${effect}`,
		FOREIGN: `Replaced by a transaction that another program signed: ${effect}`,
	};
	return inOneLine(words[status]);
}

/** A transaction that ended without effect, and what to do about it. */
export const endInWords = (state: TransactionState): Problem => ({
	message: stateInWords(state, ''),
	hint: state.isFinal
		? 'It moved nothing. To send it again, use a new Order ID, or Send Again (Options)'
		: 'It moved nothing, but this is not final: do not resend yet',
});
