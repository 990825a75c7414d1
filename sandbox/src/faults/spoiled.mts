import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

async function* halfThenBreak(body: Buffer): AsyncGenerator<Buffer> {
	yield body.subarray(0, Math.floor(body.length / 2));
	await setTimeout(0);
	throw new Error('Connection broken on purpose');
}

async function* inPieces(body: Buffer, bytes: number, ms: number): AsyncGenerator<Buffer> {
	for (let start = 0; start < body.length; start += bytes) {
		if (start > 0) await setTimeout(ms);
		yield body.subarray(start, start + bytes);
	}
}

/** A stream of the first half of `body` that then breaks the connection. */
export function brokenHalfway(body: string): Readable {
	return Readable.from(halfThenBreak(Buffer.from(body)));
}

/** A stream of `body` in pieces of `bytes` bytes with `ms` milliseconds between them. */
export function slowly(body: string, bytes: number, ms: number): Readable {
	return Readable.from(inPieces(Buffer.from(body), bytes, ms));
}
