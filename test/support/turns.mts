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
