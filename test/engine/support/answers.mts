/** Answers of the scripted service. */
import type { ServerResponse } from 'node:http';

/** An answer as it is sent. */
export interface ScriptedAnswer {
	/** 200 unless given. */
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	/** Text is sent unchanged, anything else as JSON. */
	readonly body?: unknown;
	/** The answer is cut off in the middle, is not HTTP, or is not compressed as declared. */
	readonly fault?: 'half' | 'no http' | 'bad gzip' | undefined;
}

/** `cut` closes the connection without an answer, `hold` never answers. */
export type Answer = ScriptedAnswer | 'cut' | 'hold';

export function sendAnswer(response: ServerResponse, answer: Answer): void {
	if (answer === 'hold') return;
	if (answer === 'cut') return void response.destroy();
	const { status = 200, fault, body: given = '' } = answer;
	const body = typeof given === 'string' ? given : JSON.stringify(given);
	const headers = { 'content-type': 'application/json', ...answer.headers };
	const whole = { ...headers, 'content-length': body.length };
	if (fault === 'half') {
		response.writeHead(status, whole).write(body.slice(0, body.length / 2));
		// Data already written is sent first.
		setImmediate(() => response.destroy());
	} else if (fault === 'no http') {
		response.socket?.end('who is there?\r\n\r\n');
	} else if (fault === 'bad gzip') {
		response.writeHead(status, { ...whole, 'content-encoding': 'gzip' }).end(body);
	} else {
		response.writeHead(status, headers).end(body);
	}
}

/** Hash of the nth successful write, counted from 1. */
/** Page of a transaction, as services link it. */
export const EXPLORER = 'https://explorer.example/tx';

export const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

export const json = (body: unknown, status = 200): ScriptedAnswer => ({ status, body });

/** The answer to a submitted write, with the hash for this number. */
export const done = (number: number): ScriptedAnswer =>
	json({ status: 'SUCCESS', hash: hashOf(number) });

/** The answer to a write of unknown outcome, with the hash for this number. */
export const pending = (number: number): ScriptedAnswer =>
	json({ status: 'PENDING', hash: hashOf(number) });

/** The answer to a refused write, or to a read that the contract reverts. */
export const failed = (error = 'no gas yet'): ScriptedAnswer => json({ status: 'FAILED', error });

/** The answer to a write of unknown outcome, without a hash. */
export const LOST: ScriptedAnswer = { status: 500, body: 'Internal Server Error' };
