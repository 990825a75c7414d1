import type { FastifyInstance } from 'fastify';

/** Starts listening. @param setting what sets the port @throws Error on one clear line if the port is taken or the address is not this machine's */
export async function listen(
	app: FastifyInstance,
	host: string,
	port: number,
	setting = 'PORT',
): Promise<void> {
	try {
		await app.listen({ host, port });
	} catch (cause) {
		const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
		if (code === 'EADDRINUSE') {
			throw new Error(
				`Port ${port} is in use; set ${setting} to another port${setting === 'PORT' ? ', or to 0 for any free port' : ''}`,
				{ cause },
			);
		}
		if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
			throw new Error(`This machine has no address ${host}; set HOST to another one`, { cause });
		}
		throw cause;
	}
}

/** Resolves on a signal to end, or when the parent process has ended. */
export function untilStopped(): Promise<void> {
	return new Promise((resolve) => {
		for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => resolve());
	});
}
