/** Resolves on Ctrl-C or a termination signal, and ignores further signals from then on, because stopping takes a moment. */
export function interruption(): Promise<undefined> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
			process.on(signal, () => resolve(undefined));
	});
}
