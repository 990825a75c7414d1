import { ServiceError } from '../../request/failure/service-error';
import { readAnswer } from '../../request/http/answer';
import { fillRoute } from '../../request/http/path';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { readInteger } from '../../values/integers';
import { refuse } from '../../values/invalid-input';
import { isItem } from '../../values/objects';
import { settle } from '../../values/settle';
import type { TokenTransfer } from '../writing/transfer';
import { inWords, wholeTokens } from '../writing/transfer';

/** The balance in an answer of the service (interface, section 4.3), in base units; `undefined` when there is none. */
function balanceIn(answer: unknown, token: string): bigint | undefined {
	if (!isItem(answer)) return undefined;
	const entry = answer[token.toLowerCase()];
	return isItem(entry) ? readInteger(entry.balance ?? entry.balanceBn) : undefined;
}

/**
 * Refuses an ERC-20 transfer of more than the sender has, in words that name both amounts. It asks the service once: this is a
 * convenience, and the chain decides in any case, so whatever the look-up fails by is no reason not to send.
 *
 * @throws InvalidInputError when the balance is known and too low.
 */
export async function assertEnough(transfer: TokenTransfer, client: ServiceClient): Promise<void> {
	const { standard, token, amount = 0n, sender } = transfer;
	if (standard !== 'erc20' || sender === undefined) return;
	const url = fillRoute(ROUTES.tokenBalance.url, { userId: sender, tokenAddress: token });
	const asking = client.send(
		{ method: 'GET', url },
		{
			read: ({ response, authorization }) => readAnswer(response, authorization, url),
			// Once: all other writes of the credential wait behind this one.
			judge: (error) =>
				error instanceof ServiceError ? error.with({ isTransient: false }) : error,
		},
	);
	const result = await settle(asking);
	const balance = result.status === 'fulfilled' ? balanceIn(result.value, token) : undefined;
	if (balance === undefined || balance >= amount) return;
	refuse(
		'amount',
		amount,
		`${sender} has ${inWords({ ...transfer, amount: balance })}, ${wholeTokens(transfer) ?? amount} are needed`,
		'Nothing was sent. Send less, or have the wallet filled first',
	);
}
