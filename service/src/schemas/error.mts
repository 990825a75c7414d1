import Type, { type Static } from 'typebox';
import { TransactionHash } from './text.mts';
import { Closed } from './closed.mts';

export const ServiceError = Closed(
	{
		status: Type.Literal('FAILED'),
		error: Type.String({ description: 'Description of the problem.' }),
		code: Type.Enum(
			[
				'unauthorized',
				'invalid_request',
				'unknown_user',
				'unknown_token',
				'unknown_transaction',
				'unknown_write',
				'unknown_route',
				'insufficient_scope',
				'limit_exceeded',
				'wallet_closed',
				'write_in_progress',
				'write_key_reused',
				'write_key_void',
				'write_superseded',
				'other_user',
				'list_too_long',
				'too_many_open_writes',
				'too_many_fences',
				'too_many_executions',
				'too_many_requests',
				'chain_unavailable',
				'gas_too_expensive',
				'write_undecided',
				'history_not_read',
				'request_refused',
				'internal_error',
			],
			{ description: 'Stable name of the kind of error.' },
		),
		field: Type.Optional(
			Type.String({
				description: 'Wrong part of the request.',
				examples: ['address', 'args[0]'],
			}),
		),
		hash: Type.Optional(TransactionHash),
		call: Type.Optional(
			Closed(
				{ to: Type.String(), data: Type.String(), value: Type.String() },
				{ description: 'The call that the key belongs to.' },
			),
		),
	},
	{ description: 'Every answer with an HTTP status of 400 or more.' },
);

export type ServiceError = Static<typeof ServiceError>;

/** The error answers of every endpoint under `/v1`, for the `response` schemas of its route. */
export const errorResponses = {
	400: ServiceError,
	401: ServiceError,
	'4xx': ServiceError,
	'5xx': ServiceError,
	500: ServiceError,
};
