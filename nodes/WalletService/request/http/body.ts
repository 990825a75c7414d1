import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { hashesIn } from '../../values/hashes';
import { isObject } from '../../values/objects';
import { settle } from '../../values/settle';
import { thrownAnswer } from '../failure/connection';
import { ServiceError } from '../failure/service-error';
import type { Received } from './answer';
import { ROUTES } from './routes';

/**
 * Maximum bytes of an answer, unpacked: of a list or of what a contract returns, and of any other. The longest list of writes of
 * our service has about 30 MB.
 */
export const MAX_ANSWER_BYTES = { list: 40_000_000, other: 2_000_000 } as const;

const LISTS = /^\/v1\/(?:users\/[^/]+\/history|writes|attempts)(?:\?|$)/;

interface Sent {
	/** The path, beginning with `/v1`. */
	readonly url: string;
	/** Whether it can move money, so that an answer of unknown content leaves its outcome unknown. */
	readonly isWrite: boolean;
}

function mostBytes({ url, isWrite }: Sent): number {
	const isLong = LISTS.test(url) || url === ROUTES.read.url;
	return isLong && !isWrite ? MAX_ANSWER_BYTES.list : MAX_ANSWER_BYTES.other;
}

/** Errors of a stream whose connection was closed before its end. */
const CUT = new Set<unknown>(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
	isObject(body) && Symbol.asyncIterator in body;

/** Reads a body as far as it may go. @throws ServiceError if it is longer; any error of the stream */
async function textOf(
	body: AsyncIterable<Uint8Array>,
	httpStatus: number,
	sent: Sent,
): Promise<string> {
	const most = mostBytes(sent);
	const decoder = new TextDecoder();
	let [text, length] = ['', 0];
	// What is behind the end of the loop is never unpacked.
	for await (const chunk of body) {
		length += chunk.length;
		text += decoder.decode(chunk, { stream: true });
		if (length <= most) continue;
		throw new ServiceError({
			message: `The answer of the service is longer than ${most / 1_000_000} MB`,
			hint: 'Check that the base URL of the credential belongs to a wallet service',
			code: 'unreadable-answer',
			httpStatus,
			...(sent.isWrite && { state: 'unknown', hashes: hashesIn(text) }),
		});
	}
	return text + decoder.decode();
}

/**
 * Awaits an answer of n8n's client and reads its body. n8n sets no limit to an answer, and a few bytes can unpack to any
 * number: the body comes as a stream, of which no more is read than such an answer may have.
 *
 * @param answering the request, with `encoding: 'stream'`
 * @throws ServiceError if the body is too long; any error of the request.
 * @example (await readAnswer(Promise.resolve({ statusCode: 200, headers: {}, body: '{}' }), { url: '/v1/service', isWrite: false })).body // '{}'
 */
export async function readAnswer(
	answering: Promise<IN8nHttpFullResponse>,
	sent: Sent,
): Promise<Received['response']> {
	let thrown: unknown;
	const response = await answering.catch((error: unknown) => thrownAnswer((thrown = error)));
	const { body, statusCode: status } = response;
	if (!isStream(body)) return response;
	const read = await settle(textOf(body, status, sent));
	if (read.status === 'fulfilled') return { ...response, body: read.value };
	const error: unknown = read.reason;
	if (!isObject(error) || !CUT.has(error.code)) throw error;
	const lost = new Error('The answer was cut off', { cause: thrown });
	throw Object.assign(lost, { response: { status } });
}
