import { toBeHex } from 'ethers';
import type { Payer } from '../../../tools/wallet/installed-service.mts';
import { LEDGER } from '../../../tools/wallet/network.mts';

/** What a service says about a write. */
export interface Told {
	/** HTTP status; 0 if no answer came. */
	code: number;
	status?: string;
	hash?: string;
	error?: string;
}

/** A call that the ledger counts, different from all others. */
export const payloadOf = (number: number): string => toBeHex(2n ** 200n + BigInt(number), 32);

/** Sends a call of the ledger by PUT. Never throws. @param patienceMs time after which the caller gives up */
export async function submit(
	url: string,
	{ token }: Payer,
	key: string,
	call: { abi: string; args: readonly string[] },
	patienceMs: number,
): Promise<Told> {
	try {
		const response = await fetch(`${url}/v1/writes/${encodeURIComponent(key)}`, {
			method: 'PUT',
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
			body: JSON.stringify({ address: LEDGER, ...call }),
			signal: AbortSignal.timeout(Math.ceil(patienceMs)),
		});
		const answer: Omit<Told, 'code'> = JSON.parse(await response.text());
		return { ...answer, code: response.status };
	} catch (error) {
		return { code: 0, error: String(error) };
	}
}

/** Sends a payment, as {@link submit} does. */
export const pay = async (
	url: string,
	payer: Payer,
	key: string,
	payload: string,
	patienceMs: number,
): Promise<Told> =>
	await submit(url, payer, key, { abi: 'pay(bytes32)', args: [payload] }, patienceMs);
