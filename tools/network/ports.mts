import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems assign (Linux: from 32768, others: from 49152), maybe before the program listens there. */
const RANGE = [10_000, 30_000] as const;

/** Reserves a port until this process ends, by the UDP port of the same number. @returns false if it is reserved or busy. */
async function reserve(port: number): Promise<boolean> {
	const reservation = createSocket('udp4').unref();
	const server = createServer();
	try {
		reservation.bind({ port, address: '127.0.0.1', exclusive: true });
		await once(reservation, 'listening');
		await once(server.listen(port, '127.0.0.1'), 'listening');
		await once(server.close(), 'close');
		return true;
	} catch (error) {
		reservation.close();
		if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
		throw error;
	}
}

/** Finds a free port on 127.0.0.1, the preferred one if possible, and never one that was found for another program. */
export async function freePort(preferred = randomInt(...RANGE)): Promise<number> {
	return (await reserve(preferred)) ? preferred : await freePort();
}
