/**
 * Waits for a number of turns of the event loop, in which n8n does everything else.
 *
 * @example await yieldToEventLoop(1) // undefined
 */
export async function yieldToEventLoop(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) {
		// Each turn needs a new channel: a second message on the same one would arrive in the same turn.
		const { port1, port2 } = new MessageChannel();
		await new Promise<void>((resolve) => {
			port1.addEventListener('message', () => resolve());
			port1.start();
			port2.postMessage(undefined);
		});
		port1.close();
	}
}
