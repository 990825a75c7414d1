/** Answers of the scripted service. */

/** An answer as it is sent. */
export interface ScriptedAnswer {
	/** 200 unless given. */
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	/** Text is sent unchanged, anything else as JSON. */
	readonly body?: unknown;
}

/** `cut` closes the connection without an answer, `hold` never answers. */
export type Answer = ScriptedAnswer | 'cut' | 'hold';

/** The nth write that succeeds has the hash of n, counted from 1. */
export const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

export const json = (body: unknown, status = 200): ScriptedAnswer => ({ status, body });

/** A submitted write, with the hash of a number. */
export const done = (number: number): ScriptedAnswer =>
	json({ status: 'SUCCESS', hash: hashOf(number) });

/** A write of unknown outcome, with the hash of a number. */
export const pending = (number: number): ScriptedAnswer =>
	json({ status: 'PENDING', hash: hashOf(number) });

/** A refused write, or a read that the contract reverts. */
export const failed = (error = 'no gas yet'): ScriptedAnswer => json({ status: 'FAILED', error });

/** A write of unknown outcome without a hash. */
export const LOST: ScriptedAnswer = { status: 500, body: 'Internal Server Error' };
