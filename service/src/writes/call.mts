import { createHash } from 'node:crypto';

/** A call in its one form: checksummed address, lower-case data, wei. */
export interface Call {
	to: string;
	/** 0x-prefixed call data. */
	data: string;
	/** Native coin to send along, in wei. */
	value: bigint;
}

/** Hash by which equal calls are equal, however the request spelled them. */
export function fingerprintOf(chainId: number, from: string, { to, data, value }: Call): string {
	const fields = [chainId, from, to, data, value].map((field) => String(field).toLowerCase());
	return createHash('sha256').update(fields.join('|')).digest('hex');
}
