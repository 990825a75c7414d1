import type { INodeProperties } from 'n8n-workflow';

import { NOT_FOUND } from '../../request/failure/http-status';
import { ServiceError } from '../../request/failure/service-error';
import { fillRoute, ROUTES } from '../../request/http/routes';
import type { Plan } from '../../request/run/plan';
import { checkUntil } from '../../request/run/repeated-checks';
import { monotonicMs, wallClockMs } from '../../values/clock';
import { inSentences } from '../../values/invalid-input';
import { defined } from '../../values/objects';
import { linkOf } from '../../values/urls';
import { pinWhatSent, readHash, transactionHash } from '../history/wanted-transfer';
import type { Operation } from '../operation';
import { checkedFields, durationInWords, noteSending, parseWait, waitUpTo } from '../wait-options';
import {
	askTransaction,
	assertReported,
	endInWords,
	stateInWords,
} from '../history/transaction-state';

const waitForBlock: INodeProperties = {
	...waitUpTo,
	description:
		'Maximum time to wait until the transaction is in a block, from 0 to 300 seconds. 0 checks once.',
};

function unknown(hash: string, duration: string): ServiceError {
	return new ServiceError({
		message: `The service does not know this transaction (${duration}): it was never submitted here, or it was dropped; this proves nothing`,
		hint: "Check the hash, and the wallet's history; do not resend because of this",
		code: 'not-seen',
		httpStatus: NOT_FOUND,
		hashes: [hash],
	});
}

const planTransaction: Plan = async (item, run, { url: route, isSimple }) => {
	const { read } = item;
	const waitMs = parseWait(read(waitForBlock.name, waitForBlock.default), waitForBlock.name);
	const asked = readHash(read);
	return await Promise.resolve({
		url: fillRoute(route, { hash: asked }),
		isLongRunning: true,
		send: async (client) => {
			await assertReported(client);
			const check = async () => ({
				at: monotonicMs(),
				checkedAt: wallClockMs(),
				found: await askTransaction(asked, client),
			});
			const last = await checkUntil(
				{ item, run, waitMs },
				check,
				(state) => state !== undefined && state.status !== 'PENDING',
			);
			noteSending(item, run);
			const state = last.found;
			const checkedTimes = checkedFields(last);
			const duration = durationInWords(checkedTimes.checkedFor);
			if (state === undefined) throw unknown(asked, duration);
			if (!isSimple) return [state.answer];
			const { status, final, confirmations, revertReason, minedHash, ...more } = state.answer;
			const { blockNumber, submittedAt, minedAt, finalAt, explorerUrl, hash } = more;
			const isReverted = state.status === 'REVERTED';
			const summary = isReverted ? inSentences(endInWords(state)) : stateInWords(state, duration);
			const { note, lastRefusal } = state;
			const why = { note, lastRefusal, revertReason };
			const outcome = { summary, status, final, confirmations, ...why, minedHash };
			const times = { submittedAt, minedAt, finalAt };
			return [
				defined({
					...outcome,
					...times,
					blockNumber,
					explorerUrl: linkOf(explorerUrl),
					hash,
					...checkedTimes,
				}),
			];
		},
	});
};

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get transaction',
		description:
			'What became of a payment or other transaction? Where the wallet service can tell: succeeded, reverted and why, or not decided yet. Elsewhere use Find Transfer.',
	},
	route: ROUTES.transaction,
	input: [pinWhatSent, transactionHash, waitForBlock],
	fields: [
		...['summary', 'status', 'final', 'confirmations', 'note', 'lastRefusal', 'revertReason'],
		'minedHash',
		...['submittedAt', 'minedAt', 'finalAt', 'blockNumber', 'explorerUrl', 'hash'],
		...['checkedFor', 'checkedAt'],
	],
	plan: planTransaction,
};
