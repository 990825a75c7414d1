/**
 * Settles when somebody asks this process to end: Ctrl-C, or a signal of whoever started it. Further signals are ignored from
 * the first one on, because stopping takes a moment.
 */
export function interruption(): Promise<undefined> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
			process.on(signal, () => resolve(undefined));
	});
}
