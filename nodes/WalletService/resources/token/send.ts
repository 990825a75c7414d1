import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../request/failure/service-error';
import { successOf } from '../../request/http/answer';
import { fillRoute, ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { readInteger } from '../../values/integers';
import { refuse } from '../../values/invalid-input';
import { defined, isItem } from '../../values/objects';
import type { Operation } from '../operation';
import { movesMoney, preview, tokenParameter } from '../parameters';
import { fieldsForPeople, SEND_FIELDS } from '../writing/describe-write';
import type { Submitter } from '../writing/submission';
import { submission } from '../writing/submission';
import type { TokenTransfer, TransferCall } from '../writing/transfer';
import { inWords, recipientInWords, wholeTokens } from '../writing/transfer';
import { amount, pieceId, recipient, tokenStandard } from './parameters';
import { readTransfer } from './read-transfer';

/** In an answer of the service (interface, section 4.3), in base units; `undefined` when there is none. */
function balanceIn(answer: unknown, tokenAddress: string): bigint | undefined {
	if (!isItem(answer)) return undefined;
	const entry = answer[tokenAddress.toLowerCase()];
	return isItem(entry) ? readInteger(entry.balance ?? entry.balanceBn) : undefined;
}

/**
 * Refuses an ERC-20 transfer of more than the sender has, in words that name both amounts. It asks the service once: this is a
 * convenience, and the chain decides in any case, so whatever the look-up fails by is no reason not to send.
 *
 * @throws InvalidInputError when the balance is known and too low.
 */
async function assertEnough(transfer: TokenTransfer, client: ServiceClient): Promise<void> {
	const { standard, token: tokenAddress, amount: needed = 0n, sender } = transfer;
	if (standard !== 'erc20' || sender === undefined) return;
	const url = fillRoute(ROUTES.tokenBalance.url, { userId: sender, tokenAddress });
	const asking = client.send(
		{ method: 'GET', url },
		{
			read: (received) => successOf(received, url),
			// Once: all other writes of the credential wait behind this one.
			judge: (error) =>
				error instanceof ServiceError ? error.with({ isTransient: false }) : error,
		},
	);
	const balance = balanceIn(await asking.catch(() => undefined), tokenAddress);
	if (balance === undefined || balance >= needed) return;
	const has = inWords({ ...transfer, amount: balance });
	const problem = `${sender} has ${has}, ${wholeTokens(transfer) ?? needed} are needed`;
	const hint = 'Nothing was sent. Send less, or have the wallet filled first';
	refuse(amount.name, needed, problem, hint);
}

/**
 * The whole tokens of an ERC-20 transfer and of those of its token that the run has shown before: exact, where n8n would add
 * floating-point numbers. `undefined` for NFTs. @throws InvalidInputError when the sender has less; then it is not counted
 */
async function totalSoFar(
	{ transfer, preparedFor: service = '' }: TransferCall,
	{ run, client }: Submitter,
): Promise<string | undefined> {
	const { standard, sender = '', token, amount = 0n } = transfer;
	if (standard !== 'erc20') return undefined;
	const totals = await run.once.get(
		'totals of what was shown',
		async () => await Promise.resolve(new Map<string, bigint>()),
	);
	// At another service, the same address is another token.
	const key = JSON.stringify([service, sender, token.toLowerCase()]);
	const together = { ...transfer, amount: (totals.get(key) ?? 0n) + amount };
	await assertEnough(together, client);
	totals.set(key, together.amount);
	return wholeTokens(together);
}

/** What would be sent, as a person reads it, with its parts and the amount of all transfers so far: at most 8 fields. */
async function introduceSend(call: TransferCall, submitter: Submitter): Promise<IDataObject> {
	const { transfer } = call;
	const { sender = 'the wallet of the credential', to } = transfer;
	return defined({
		summary: `Would send ${inWords(transfer)} from ${sender} to ${recipientInWords(transfer)}`,
		...fieldsForPeople(transfer),
		totalSoFar: await totalSoFar(call, submitter),
		submitted: false,
		to,
	});
}

export const send: Operation = {
	option: {
		name: 'Send',
		value: 'send',
		action: 'Send tokens',
		description:
			'Send tokens such as USDC, or an NFT, from your wallet to a user or an address: a payment that nobody can take back; items are sent one after the other',
	},
	input: [...movesMoney, tokenParameter, recipient, amount, preview, tokenStandard, pieceId],
	fields: SEND_FIELDS,
	...submission({
		complete: readTransfer,
		assertPossible: async ({ transfer }, client) => await assertEnough(transfer, client),
		introduce: introduceSend,
	}),
};
