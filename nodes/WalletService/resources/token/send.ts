import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../request/failure/service-error';
import { successOf } from '../../request/http/answer';
import { fillRoute, ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import type { Run } from '../../request/run/run';
import { readInteger } from '../../values/integers';
import { refuse } from '../../values/invalid-input';
import { defined, isItem } from '../../values/objects';
import { settle } from '../../values/settle';
import { earlierWrites, withEarlierTry } from '../../writes/earlier-try';
import type { Operation } from '../operation';
import { movesMoney, preview, tokenParameter } from '../parameters';
import { fieldsForPeople, SEND_FIELDS } from '../writing/describe-write';
import { planSubmission } from '../writing/submission';
import type { TokenTransfer } from '../writing/transfer';
import { inWords, recipientInWords, wholeTokens } from '../writing/transfer';
import { amount, pieceId, recipient, tokenStandard } from './parameters';
import { readTransfer } from './read-transfer';

/** The balance in an answer of the service (interface, section 4.3), in base units; `undefined` when there is none. */
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
	const result = await settle(asking);
	const balance = result.status === 'fulfilled' ? balanceIn(result.value, tokenAddress) : undefined;
	if (balance === undefined || balance >= needed) return;
	refuse(
		amount.name,
		needed,
		`${sender} has ${inWords({ ...transfer, amount: balance })}, ${wholeTokens(transfer) ?? needed} are needed`,
		'Nothing was sent. Send less, or have the wallet filled first',
	);
}

/**
 * A transfer with the amount that it makes together with those of its token that the run has shown before: exact, where n8n
 * would add floating-point numbers. `undefined` for NFTs, and when the token does not say its decimals.
 *
 * @param service base URL of the service: at another one, the same address is another token
 * @param check called with the sum; what it refuses is not counted
 */
async function withRunningTotal(
	run: Run,
	{ transfer, service }: { readonly transfer: TokenTransfer; readonly service: string },
	check: (together: TokenTransfer) => Promise<void>,
): Promise<TokenTransfer | undefined> {
	const { standard, sender = '', amount: own, decimals } = transfer;
	if (standard !== 'erc20' || own === undefined || decimals === undefined) {
		await check(transfer);
		return undefined;
	}
	const totals = await run.once(
		'totals of what was shown',
		async () => await Promise.resolve(new Map<string, bigint>()),
	);
	const key = JSON.stringify([service, sender, transfer.token.toLowerCase()]);
	const together = { ...transfer, amount: (totals.get(key) ?? 0n) + own };
	await check(together);
	totals.set(key, together.amount);
	return together;
}

/** What would be sent, as a person reads it, with its parts and the amount of all transfers so far. */
function introduceSend(transfer: TokenTransfer, together: TokenTransfer | undefined): IDataObject {
	const { sender = 'the wallet of the credential', to } = transfer;
	return defined({
		summary: `Would send ${inWords(transfer)} from ${sender} to ${recipientInWords(transfer)}`,
		...fieldsForPeople(transfer),
		totalSoFar: together && wholeTokens(together),
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
	route: ROUTES.write,
	input: [movesMoney, tokenParameter, recipient, tokenStandard, amount, pieceId, preview],
	fields: SEND_FIELDS,
	// Nonces follow the items.
	isSequential: true,
	plan: planSubmission({
		complete: readTransfer,
		assertPossible: async ({ transfer }, client) => await assertEnough(transfer, client),
		introduce: async ({ transfer, preparedFor: service = '' }, { run, client }) => {
			// All that is shown has to be there, not each amount alone.
			const check = async (together: TokenTransfer) => await assertEnough(together, client);
			return introduceSend(transfer, await withRunningTotal(run, { transfer, service }, check));
		},
	}),
	explain: ({ context }, error) => withEarlierTry(context, error),
	recall: ({ context }) => earlierWrites(context),
};
