const HOURS_MS = 48 * 3_600_000;

/** Lets this process know as little of what it has sent as one that has just started, until mocks are restored. */
export function forgetAll(): void {
	const uptime = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => uptime() + HOURS_MS);
}
