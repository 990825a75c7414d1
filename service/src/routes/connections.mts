/** The connections of callers. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The part of the descriptors of the process that callers may take; the others are for files, databases and endpoints. */
const PART_OF_CALLERS = 1 / 2;
/** Most connections, whatever the system allows. */
const MOST = 10_000;

/** The number of connections that callers may have, by the limits of the process (`ulimit -n`). */
export function mostConnections(): number {
	const { report } = process;
	// Looking up the names of what is connected would take time.
	Object.assign(report, { excludeNetwork: true });
	const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
	const descriptors = userLimits?.open_files?.soft;
	return typeof descriptors === 'number'
		? Math.min(MOST, Math.ceil(descriptors * PART_OF_CALLERS))
		: MOST;
}

/** Knows the open requests of each connection, and closes connections that wait for nothing when there are too many. */
export class Connections {
	/** The requests of each connection that are not answered yet. The one that was in use last is the last one. */
	readonly #open = new Map<Duplex, Set<ServerResponse>>();
	readonly #most: number;

	/** @param most maximum number of connections */
	constructor(server: Server, most: number) {
		this.#most = most;
		server.on('connection', (socket) => this.#add(socket));
		server.on('request', (request, response) => this.#note(request, response));
	}

	/** Whether a connection has a request that has arrived, and is not answered yet. */
	isInUse(socket: Duplex): boolean {
		const open = [...(this.#open.get(socket) ?? [])];
		return open.some(({ req, headersSent }) => req.complete || headersSent);
	}

	#add(socket: Duplex): void {
		this.#open.set(socket, new Set());
		socket.once('close', () => this.#open.delete(socket));
		if (this.#open.size <= this.#most) return;
		// The oldest one that is silent or sends slowly, so that whoever keeps many open shuts out nobody else.
		const others = [...this.#open.keys()].filter((one) => one !== socket);
		const idle = others.find((one) => !this.isInUse(one));
		// Whoever does not read an answer finds what was written under its key.
		const closed = idle ?? others.find((one) => !this.#isAwaited(one)) ?? socket;
		this.#open.delete(closed);
		closed.destroy();
	}

	/** Whether a connection has a request that has arrived, and whose answer is not written yet. */
	#isAwaited(socket: Duplex): boolean {
		const open = [...(this.#open.get(socket) ?? [])];
		return open.some(({ req, writableEnded }) => req.complete && !writableEnded);
	}

	#note({ socket }: IncomingMessage, response: ServerResponse): void {
		const open = this.#open.get(socket);
		if (!open) return;
		open.add(response);
		response.once('close', () => {
			open.delete(response);
			if (this.#open.delete(socket)) this.#open.set(socket, open);
		});
	}
}
