/** Lets everything else that waits for the event loop have one turn of it. */
async function loopTurn(): Promise<void> {
	// A channel of its own each time: a second message on the same one would come without a turn in between.
	const { port1, port2 } = new MessageChannel();
	await new Promise<void>((resolve) => {
		port1.addEventListener('message', () => resolve());
		port1.start();
		port2.postMessage(undefined);
	});
	port1.close();
}

/** Lets the event loop turn so many times. */
export async function yieldToEventLoop(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) await loopTurn();
}
