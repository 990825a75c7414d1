import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HistoryNotRead } from '../history/history.mts';
import { InputError } from '../input/input-error.mts';
import { LimitExceeded } from '../limits/limit-exceeded.mts';
import { ChainUnavailable } from '../rpc/failures.mts';
import type { ServiceError } from '../schemas/error.mts';
import { GasTooExpensive } from '../rpc/fees.mts';
import { ListTooLong, OtherUser, TooManyExecutions } from '../store/executions.mts';
import { TooManyFences } from '../store/fences.mts';
import { InProgress, KeyIsVoid, KeyReused } from '../writes/failures.mts';
import { Superseded, TooManyOpenWrites, Undecided, WalletClosed } from '../writes/failures.mts';

/** An error reported to the caller unchanged. */
export class RequestError extends Error {
	readonly statusCode: number;
	readonly answer: ServiceError;
	/** For the status 429: time until the next request is accepted, in seconds. */
	readonly retryAfter: number = 1;

	constructor(
		statusCode: number,
		code: ServiceError['code'],
		error: string,
		more: Partial<ServiceError> = {},
	) {
		super(error);
		this.statusCode = statusCode;
		this.answer = { status: 'FAILED', error, code, ...more };
	}
}

const invalid = (error: string, field: string) =>
	new RequestError(400, 'invalid_request', error, { field });

/** Characters of a name in a request that an error repeats. */
const MOST_NAMED = 200;

/** The invalid field in a schema failure, for example `args[0]`. */
function invalidField({ instancePath, params }: Invalid): string {
	const named = params.requiredProperties ?? params.additionalProperties;
	const property = Array.isArray(named) ? [String(named[0])] : [];
	const path = [...instancePath.split('/').slice(1), ...property];
	return path.reduce((field, part) => {
		if (/^\d+$/.test(part)) return `${field}[${part}]`;
		return field === '' ? part : `${field}.${part}`;
	}, '');
}

type Invalid = NonNullable<FastifyError['validation']>[number];

function invalidAnswer(validation: Invalid[]): RequestError {
	// An unknown property is reported twice; the entry with its name is used.
	const failure = validation.find(({ keyword }) => keyword !== 'boolean');
	const named = failure ? invalidField(failure) : '';
	const field = named.length > MOST_NAMED ? `${named.slice(0, MOST_NAMED).toWellFormed()}…` : named;
	const reason = failure?.message ?? 'does not fit';
	const error = field === '' ? `The request body ${reason}` : `${field}: ${reason}`;
	return invalid(error, field || 'body');
}

/** Failures that are reported with their message, of writes before anything was signed, by HTTP status and code. */
const REFUSALS = [
	[WalletClosed, 403, 'wallet_closed'],
	[LimitExceeded, 403, 'limit_exceeded'],
	[InProgress, 409, 'write_in_progress'],
	[OtherUser, 409, 'other_user'],
	[KeyIsVoid, 410, 'write_key_void'],
	[Superseded, 412, 'write_superseded'],
	[ListTooLong, 422, 'list_too_long'],
	[ChainUnavailable, 424, 'chain_unavailable'],
	[GasTooExpensive, 424, 'gas_too_expensive'],
	[TooManyOpenWrites, 429, 'too_many_open_writes'],
	[TooManyFences, 429, 'too_many_fences'],
	[TooManyExecutions, 429, 'too_many_executions'],
	[HistoryNotRead, 503, 'history_not_read'],
] as const;

function writeAnswer(error: unknown): RequestError | undefined {
	const refusal = REFUSALS.find(([type]) => error instanceof type);
	if (refusal && error instanceof Error) {
		return new RequestError(refusal[1], refusal[2], error.message);
	}
	if (error instanceof Undecided) {
		return new RequestError(503, 'write_undecided', error.message, { hash: error.hash });
	}
	if (error instanceof KeyReused) {
		const { write, attempt } = error.stored;
		const call = { to: write.to_address, data: write.data, value: write.value };
		const recorded = { field: 'key', call, ...(attempt ? { hash: attempt.hash } : {}) };
		return new RequestError(422, 'write_key_reused', error.message, recorded);
	}
	return undefined;
}

function toAnswer(error: unknown): RequestError {
	const write = writeAnswer(error);
	if (write) return write;
	if (error instanceof RequestError) return error;
	if (error instanceof InputError) return invalid(`${error.field} ${error.message}`, error.field);
	if (error instanceof Error) {
		const { validation, statusCode = 500 }: Partial<FastifyError> = error;
		if (validation) return invalidAnswer(validation);
		if (statusCode === 400) return invalid(error.message, 'body');
		if (statusCode < 500) return new RequestError(statusCode, 'request_refused', error.message);
	}
	return new RequestError(500, 'internal_error', 'Internal server error');
}

/** Answers with an error in the one shape; internal errors are logged, not reported. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
	const { statusCode, answer, retryAfter } = toAnswer(error);
	if (statusCode >= 500 || error instanceof ChainUnavailable)
		request.log.error({ err: error }, 'request failed');
	if (statusCode === 429) reply.header('retry-after', String(retryAfter));
	void reply.code(statusCode).send(answer);
}

/** Converts all errors of an app's routes to one shape. */
export function answerErrors(app: FastifyInstance): void {
	app.setErrorHandler(sendError);
	app.setNotFoundHandler(({ method, url }) => {
		throw new RequestError(
			404,
			'unknown_route',
			`There is nothing at ${method} ${url.split('?')[0]}`,
		);
	});
}
