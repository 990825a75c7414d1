/**
 * Whether an error is of a class of n8n, or of one derived from it. The class has only the same name if this package was
 * installed with its own copy of n8n-workflow.
 *
 * @example isOfClass(new NodeOperationError(node, 'No'), ExecutionBaseError) // true
 */
export function isOfClass<T extends Error>(
	error: unknown,
	{ name }: abstract new (...args: never[]) => T,
): error is T {
	let one: unknown = error;
	while (one instanceof Error && one.constructor.name !== name) one = Object.getPrototypeOf(one);
	return one instanceof Error;
}
