import type { Run } from '../../request/run/run';
import type { Transfer } from './transfer';

/**
 * A transfer with the amount that it makes together with those of its token that the run has shown before: exact, where n8n
 * would add floating-point numbers. `undefined` for NFTs, and when the token does not say its decimals.
 *
 * @param service base URL of the service: at another one, the same address is another token
 * @param check called with the sum; what it refuses is not counted
 */
export async function withRunningTotal(
	run: Run,
	{ transfer, service }: { readonly transfer: Transfer; readonly service: string },
	check: (together: Transfer) => Promise<void>,
): Promise<Transfer | undefined> {
	const { standard, token, sender = '', amount, decimals } = transfer;
	if (standard !== 'erc20' || amount === undefined || decimals === undefined) {
		await check(transfer);
		return undefined;
	}
	const totals = await run.once(
		'totals of what was shown',
		async () => await Promise.resolve(new Map<string, bigint>()),
	);
	const key = JSON.stringify([service, sender, token.toLowerCase()]);
	const together = { ...transfer, amount: (totals.get(key) ?? 0n) + amount };
	await check(together);
	totals.set(key, together.amount);
	return together;
}
