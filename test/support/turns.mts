/** Counts the turns of the event loop during an action: what does not turn holds up all of n8n. */
export async function turnsDuring(action: () => Promise<unknown>): Promise<number> {
	let turns = 0;
	let isOver = false;
	const count = (): void => {
		if (isOver) return;
		turns += 1;
		setImmediate(count);
	};
	setImmediate(count);
	await action();
	isOver = true;
	return turns;
}

/** Processor time of the longest stretch of some work in which nothing else is done, in milliseconds. */
async function stretchOf(work: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let isOver = false;
	let before = process.threadCpuUsage();
	const look = () => {
		const { user, system } = process.threadCpuUsage(before);
		longest = Math.max(longest, (user + system) / 1000);
		before = process.threadCpuUsage();
		if (!isOver) setImmediate(look);
	};
	setImmediate(look);
	try {
		await work();
		await new Promise((resolve) => setImmediate(resolve));
	} finally {
		isOver = true;
	}
	return longest;
}

/**
 * Processor time of the longest stretch of some work in which nothing else is done, in milliseconds: the least of several
 * tries, after one in which the code is compiled.
 */
export async function longestStretch(work: () => Promise<unknown>): Promise<number> {
	await work();
	const stretches: number[] = [];
	for (let round = 0; round < 3; round++) stretches.push(await stretchOf(work));
	return Math.min(...stretches);
}
