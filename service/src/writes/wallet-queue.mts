/** Runs the tasks of each wallet one after the other. */
export class WalletQueue {
	readonly #last = new Map<number, Promise<unknown>>();

	/** Runs a task after all earlier ones of the wallet. The task must not wait for anything but the database and the signer. */
	async run<T>(walletId: number, task: () => Promise<T>): Promise<T> {
		const before = this.#last.get(walletId) ?? Promise.resolve();
		const result = before.then(task, task);
		const settled = result.catch(() => undefined);
		this.#last.set(walletId, settled);
		try {
			return await result;
		} finally {
			if (this.#last.get(walletId) === settled) this.#last.delete(walletId);
		}
	}
}
