import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { InputError } from '../input/input-error.mts';
import { KEY } from '../schemas/write-key.mts';

const HEADER = 'idempotency-key';
/** A string of structured fields, or the same without quotation marks. A comma could join two headers. */
const FORM = /^(?:"([^"\\]*)"|([^",]*))$/;

/**
 * The key of a write in the header `Idempotency-Key`; random if there is none.
 *
 * @throws InputError unless there is exactly one usable key: two keys could mean two payments
 */
export function keyOf({ raw: { rawHeaders } }: FastifyRequest): string {
	const values = rawHeaders.filter((_value, index) => {
		return index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === HEADER;
	});
	const [value] = values;
	if (value === undefined) return randomUUID();
	const [, quoted, bare = ''] = FORM.exec(value.trim()) ?? [];
	const key = quoted ?? bare;
	if (values.length > 1) throw new InputError(HEADER, 'must be sent once');
	if (!KEY.test(key))
		throw new InputError(HEADER, 'must be one key of 1 to 255 printable characters');
	return key;
}
