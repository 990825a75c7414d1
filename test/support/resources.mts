/** Time limit for everything to end, in milliseconds. */
const PATIENCE = 300_000;

/** Started resources, ended in reverse order by `await using`, each even if another fails to end. */
export class Resources implements AsyncDisposable {
	readonly #stack = new AsyncDisposableStack();

	/**
	 * Takes over a resource that has been started or is being started. If it becomes ready only after
	 * the disposal, it is ended immediately.
	 */
	async use<Resource extends AsyncDisposable>(
		starting: Resource | Promise<Resource>,
	): Promise<Resource> {
		const resource = await starting;
		if (!this.#stack.disposed) return this.#stack.use(resource);
		await resource[Symbol.asyncDispose]();
		throw new Error('It took too long to start');
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#stack.disposeAsync();
	}
}

/** The resources of a test file, or of a `describe`: they end after its tests, even after a failure. */
export function useResources(): Resources {
	const resources = new Resources();
	afterAll(async () => await resources[Symbol.asyncDispose](), PATIENCE);
	return resources;
}
