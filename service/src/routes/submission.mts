import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerOf, replayOf } from '../calls/write-answer.mts';
import { MOST_WORDS_OF_WRITE, parseCall } from '../input/contract-call.mts';
import { InputError } from '../input/input-error.mts';
import { errorResponses } from '../schemas/error.mts';
import { WriteAnswer, type WriteRequest } from '../schemas/contract-call.mts';
import type { LinkedService } from '../service.mts';
import { CallRefused } from '../writes/failures.mts';
import type { Submitted, WriteRequest as Submission } from '../writes/request.mts';
import { writerOf } from './authorization.mts';

/** The answers to a request for a write. */
export const writeResponses = { 200: WriteAnswer, 202: WriteAnswer, ...errorResponses };

/** Answers with a write: 202 as long as no endpoint has its transaction. */
export function sendWrite(
	reply: FastifyReply,
	{ explorer }: LinkedService,
	from: string,
	submitted: Submitted,
): WriteAnswer {
	const { isReplayed } = submitted;
	const answer = (isReplayed ? replayOf : answerOf)(explorer, from, submitted);
	reply.code(answer.status === 'PENDING' ? 202 : 200);
	if (isReplayed) reply.header('idempotency-replayed', 'true');
	return answer;
}

/** Submits the call in a request under a key, with its labels. */
export async function submitCall(
	request: FastifyRequest<{ Body: WriteRequest }>,
	reply: FastifyReply,
	service: LinkedService,
	{ key, labels }: Pick<Submission, 'key' | 'labels'>,
): Promise<WriteAnswer> {
	const caller = writerOf(request);
	const { to, data, signature } = await parseCall(request.body, MOST_WORDS_OF_WRITE);
	if (signature.constant) {
		throw new InputError('abi', 'is of a function that only reads: use /v1/contracts/method/read');
	}
	const called = signature.format('sighash');
	const call = { to, data, value: BigInt(request.body.value ?? '0') };
	try {
		const submitted = await service.writes.submit({ caller, key, call, called, labels });
		return sendWrite(reply, service, caller.user.address, submitted);
	} catch (error) {
		if (error instanceof CallRefused) return { status: 'FAILED', error: error.message };
		throw error;
	}
}
