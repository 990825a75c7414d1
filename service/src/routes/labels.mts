import type { FastifyRequest } from 'fastify';
import { InputError } from '../input/input-error.mts';
import { LabelHeaders } from '../schemas/labels.mts';
import type { Labels } from '../store/labels.mts';

/**
 * The labels of a write in the headers, which the schema has checked; undefined without any.
 *
 * @throws InputError for a label that lacks the execution to which it belongs
 */
export function labelsOf({ headers }: FastifyRequest): Labels | undefined {
	const read = (name: keyof typeof LabelHeaders) => headers[name]?.toString();
	const given = Object.keys(LabelHeaders).filter((name) => headers[name] !== undefined);
	if (given.length === 0) return undefined;
	const [node, execution] = [read('write-node'), read('write-execution')];
	if (node === undefined || execution === undefined) {
		const missing = node === undefined ? 'write-node' : 'write-execution';
		throw new InputError(missing, `must be sent with ${given.join(', ')}`);
	}
	const attempt = Number(read('write-attempt') ?? '0');
	return { node, execution, place: read('write-place'), call: read('write-call'), attempt };
}
