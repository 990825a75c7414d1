/**
 * A context of n8n with something of its own: what n8n reads of it, or calls on it, is looked up there first. The original
 * stays as it is, because n8n hands the same context to other code.
 *
 * @example deriveContext(context, { getItemIndex: () => 3 }).getItemIndex() // 3
 */
export function deriveContext<T extends object>(context: T, own: object): T {
	return Object.create(context, Object.getOwnPropertyDescriptors(own));
}
