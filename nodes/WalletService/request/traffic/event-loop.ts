/** Waits for one turn of the event loop. */
async function loopTurn(): Promise<void> {
	// A new channel each time: a second message on the same one would arrive without a turn in between.
	const { port1, port2 } = new MessageChannel();
	await new Promise<void>((resolve) => {
		port1.addEventListener('message', () => resolve());
		port1.start();
		port2.postMessage(undefined);
	});
	port1.close();
}

/** Waits for a number of turns of the event loop. */
export async function yieldToEventLoop(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) await loopTurn();
}
