/**
 * Resolves when this process is asked to end, by Ctrl-C or a signal. From then on, further signals are ignored, because stopping
 * takes a moment.
 */
export function interruption(): Promise<undefined> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
			process.on(signal, () => resolve(undefined));
	});
}
