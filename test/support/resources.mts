/** Time limit for everything to end, in milliseconds. */
const PATIENCE = 300_000;

/** Started resources, ended in reverse order by `await using`, each even if another fails to end. */
export class Resources implements AsyncDisposable {
	readonly #stack = new AsyncDisposableStack();

	/** Takes over a resource that has started or is starting; if it is ready only after the disposal, it ends at once. */
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

/** Creates a value before all tests of a file, or before each of them. @returns a function that returns it inside a test */
export function inTests<T>(hook: jest.Lifecycle, create: () => T | Promise<T>): () => T {
	let value: T | undefined;
	hook(async () => void (value = await create()));
	return () => {
		if (value === undefined) throw new Error('Not available before the tests');
		return value;
	};
}
