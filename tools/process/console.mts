const started = performance.now();

/** Prints a line with the time since the start, in seconds. */
export function report(line: string): void {
	const seconds = ((performance.now() - started) / 1000).toFixed(1);
	console.log(`${seconds.padStart(6)} s  ${line}`);
}
