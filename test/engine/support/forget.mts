const uptime = performance.now.bind(performance);

/** By how much the uptime of this process is ahead, in milliseconds. */
let aheadMs = 0;

/** Lets this time pass for what this process remembers, until mocks are restored. */
export function later(minutes: number): void {
	aheadMs += minutes * 60_000;
	jest.spyOn(performance, 'now').mockImplementation(() => uptime() + aheadMs);
}

/** Lets this process know as little of what it has sent as one that has just started, until mocks are restored. */
export const forgetAll = (): void => later(48 * 60);
