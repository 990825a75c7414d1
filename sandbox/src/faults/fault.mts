import Type, { type Static } from 'typebox';
import { Closed } from '../../../service/src/schemas/closed.mts';

/** Kinds that only delay the real answer. */
const DELAYING_KINDS = ['latency'] as const;

/** Kinds that corrupt the real answer; the request is always processed. */
const SPOILING_KINDS = ['drop-after', 'truncated-json', 'slow-drip'] as const;

/** Kinds that send a different answer, or none, instead of processing the request. */
const REPLACING_KINDS = [
	'rate-limit',
	'status-text',
	'html',
	'null',
	'wrong-shape',
	'failed',
	'drop-before',
	'redirect',
	'echo-authorization',
	'empty',
	'hang',
	'large',
	'broken-json',
	'big-integer',
] as const;

/** Kinds that end the access token of a request before it is checked. */
export const TOKEN_KINDS = ['expire-token'] as const;

/** Kinds that advance the chain before the request is processed. */
export const CHAIN_KINDS = ['mine', 'reorg'] as const;

/** Kinds that decide what happens to a write's transaction after its hash was returned. */
export const TRANSACTION_KINDS = [
	'revert-transaction',
	'drop-transaction',
	'replace-transaction',
] as const;

/** Kinds that decide which part of a history is listed. */
const HISTORY_KINDS = ['history-lag', 'history-window'] as const;

const Parameters = Type.Partial(
	Closed({
		afterWork: Type.Boolean({
			description: 'Does the work of the request before the answer is replaced.',
		}),
		status: Type.Integer({ minimum: 200, maximum: 599, description: 'HTTP status.' }),
		headers: Type.Record(Type.String(), Type.String(), {
			description: 'Headers that extend or replace those of the kind, for example content-type.',
		}),
		body: Type.String({ description: 'Body that replaces that of the kind.' }),
		ms: Type.Integer({
			minimum: 0,
			description: 'In milliseconds. latency: the delay; slow-drip: the pause between two pieces.',
		}),
		bytes: Type.Integer({
			minimum: 1,
			description: 'large: size of the body; slow-drip: size of a piece.',
		}),
		retryAfter: Type.Union([Type.Integer(), Type.String()], {
			description: 'rate-limit: value of the Retry-After header, seconds or a date.',
		}),
		location: Type.String({ description: 'redirect: the target.' }),
		error: Type.String({ description: 'failed: the error message.' }),
		blocks: Type.Integer({
			minimum: 0,
			description:
				'mine: number of new blocks (1); reorg: number of newest blocks undone (1); history-lag: number of newest blocks not listed (0).',
		}),
		seconds: Type.Integer({
			minimum: 0,
			description:
				"mine: seconds by which the chain's clock is first set forward (0); history-lag: minimum age of a listed block (0).",
		}),
		comesBack: Type.Boolean({
			description:
				'reorg: whether the new blocks contain the transactions of the undone ones; otherwise they are empty.',
		}),
		entries: Type.Integer({
			minimum: 0,
			description: 'history-window: maximum number of entries (1).',
		}),
		closeEarly: Type.Boolean({
			description:
				'truncated-json: announces the whole length and breaks the connection half-way; otherwise half the body is sent as if it were complete.',
		}),
	}),
);

export const FaultRequest = Closed({
	match: Type.Optional(
		Type.Partial(
			Closed({
				method: Type.String(),
				path: Type.String({
					format: 'regex',
					description: 'Regular expression for the whole path as sent.',
				}),
				caller: Type.String({ description: 'User ID of the access token in the request.' }),
			}),
		),
	),
	skip: Type.Optional(
		Type.Integer({ minimum: 0, description: 'Number of matching requests to spare first (0).' }),
	),
	times: Type.Optional(
		Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
			description: 'Number of requests to hit; null (default) hits all until the fault is removed.',
		}),
	),
	kind: Type.Enum([
		...DELAYING_KINDS,
		...SPOILING_KINDS,
		...REPLACING_KINDS,
		...TOKEN_KINDS,
		...CHAIN_KINDS,
		...TRANSACTION_KINDS,
		...HISTORY_KINDS,
	]),
	params: Type.Optional(Parameters),
});

export type FaultRequest = Static<typeof FaultRequest>;
export type FaultParameters = Static<typeof Parameters>;
export type FaultKind = FaultRequest['kind'];

/** A fault that hits one request. */
export interface Fault {
	kind: FaultKind;
	params: FaultParameters;
}

const spoiling: readonly string[] = SPOILING_KINDS;

/** Whether the request is processed even though the fault hits it. */
export function doesWork({ kind, params }: Fault): boolean {
	return kind === 'latency' || spoiling.includes(kind) || params.afterWork === true;
}
