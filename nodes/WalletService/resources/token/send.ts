import type { IDataObject } from 'n8n-workflow';

import { successOf } from '../../request/http/answer';
import { fillRoute, ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import type { Ahead, Run } from '../../request/run/run';
import { perRun } from '../../request/run/run';
import { readInteger } from '../../values/integers';
import { refuse } from '../../values/invalid-input';
import { defined, isItem } from '../../values/objects';
import { shownUserId } from '../../values/user-id';
import type { Operation } from '../operation';
import { movesMoney, orderId, preview, tokenParameter } from '../parameters';
import { fieldsForPeople, SEND_FIELDS } from '../writing/describe-write';
import { submission } from '../writing/submission';
import type { TokenTransfer, TransferCall } from '../writing/transfer';
import { inWords, recipientInWords, tokenInWords, wholeTokens } from '../writing/transfer';
import type { Where } from '../writing/where';
import { onNetwork } from '../writing/where';
import {
	amount,
	pieceId,
	pieceOptions,
	quantity,
	recipient,
	savedStandard,
	tokenStandard,
} from './parameters';
import { readTransfer } from './read-transfer';

/** Reads the balance in an answer (interface, section 4.3), in base units; `undefined` if there is none. */
function balanceIn(answer: unknown, tokenAddress: string): bigint | undefined {
	if (!isItem(answer)) return undefined;
	const entry = answer[tokenAddress.toLowerCase()];
	return isItem(entry) ? readInteger(entry.balance ?? entry.balanceBn) : undefined;
}

/**
 * Refuses an ERC-20 transfer that exceeds the sender's balance, stating both amounts. The check is only a convenience,
 * because the chain decides: a failed look-up is not retried and does not prevent sending.
 *
 * @throws InvalidInputError if the balance is known and too low.
 */
async function assertEnough(transfer: TokenTransfer, client: ServiceClient): Promise<void> {
	const { standard, token: tokenAddress, amount: needed = 0n, sender } = transfer;
	if (standard !== 'erc20' || sender === undefined) return;
	const url = fillRoute(ROUTES.tokenBalance.url, { userId: sender, tokenAddress });
	const asking = client.send(
		{ method: 'GET', url },
		{
			read: (received) => successOf(received, url),
			// The look-up is not retried, because all other writes of the credential wait for it.
			maxTries: 1,
		},
	);
	const balance = balanceIn(await asking.catch(() => undefined), tokenAddress);
	if (balance === undefined || balance >= needed) return;
	const name = tokenInWords(transfer);
	const available = wholeTokens({ ...transfer, amount: balance }) ?? balance;
	const problem = `Not enough ${name}: ${wholeTokens(transfer) ?? needed} needed, ${available} available`;
	const hint = `Nothing was sent. Send less, or add ${name} to the wallet of ${shownUserId(sender)} first`;
	refuse(amount.name, problem, hint);
}

/** On another service, the same address is another token. */
const totalKey = ({ transfer: { sender = '', token }, preparedFor = '' }: TransferCall): string =>
	JSON.stringify([preparedFor, sender, token.toLowerCase()]);

/** Checks a transfer; in a list, its total is compared with the balance at the end. @throws InvalidInputError */
async function assertPossible(call: TransferCall, client: ServiceClient, ahead?: Ahead) {
	const { transfer } = call;
	if (ahead === undefined) return await assertEnough(transfer, client);
	const key = totalKey(call);
	const amount = (ahead.get(key)?.amount ?? 0n) + (transfer.amount ?? 0n);
	const total = async () => await assertEnough({ ...transfer, amount }, client);
	ahead.set(key, { amount, assertEnough: total });
}

const totalsOfRun = perRun(() => new Map<string, bigint>());

/**
 * Adds an ERC-20 transfer to the total of the earlier previews of its token in this run, and returns the exact total in
 * whole tokens; a sum in n8n would use floating-point numbers. `undefined` for NFTs.
 *
 * @throws InvalidInputError if the sender has less; the transfer is then not counted
 */
async function totalSoFar(
	call: TransferCall,
	client: ServiceClient,
	run: Run,
): Promise<string | undefined> {
	const { standard, amount = 0n } = call.transfer;
	if (standard !== 'erc20') return undefined;
	const totals = totalsOfRun(run);
	const key = totalKey(call);
	const together = { ...call.transfer, amount: (totals.get(key) ?? 0n) + amount };
	await assertEnough(together, client);
	totals.set(key, together.amount);
	return wholeTokens(together);
}

/** Creates the preview of a transfer: a sentence, its parts and the total so far, at most 8 fields. */
async function introduceSend(
	call: TransferCall,
	where: Where,
	client: ServiceClient,
	run: Run,
): Promise<IDataObject> {
	const transfer = { ...call.transfer, senderAddress: where.userAddress };
	const { sender, to } = transfer;
	const isPayer = where.user === sender && where.userName !== undefined;
	const payer = isPayer ? where.userName : shownUserId(sender ?? 'the wallet of the credential');
	return defined({
		summary: `Would send ${inWords(transfer)} from ${payer} to ${recipientInWords(transfer)}${onNetwork(where)}`,
		...fieldsForPeople(transfer),
		totalSoFar: await totalSoFar(call, client, run),
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
			'Send tokens such as USDC, or an NFT, to a user or an address; a payment cannot be reversed, and items are sent one at a time',
	},
	input: [
		...movesMoney,
		tokenParameter,
		recipient,
		amount,
		quantity,
		orderId,
		preview,
		tokenStandard,
		savedStandard,
		pieceId,
	],
	options: pieceOptions,
	fields: SEND_FIELDS,
	...submission({
		complete: readTransfer,
		assertPossible,
		introduce: introduceSend,
	}),
};
