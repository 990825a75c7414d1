/**
 * An n8n context with members of its own, which take precedence over those of the original. The original is not changed,
 * because n8n passes the same context to other code.
 *
 * @example deriveContext(context, { getItemIndex: () => 3 }).getItemIndex() // 3
 */
export function deriveContext<T extends object>(context: T, own: object): T {
	return Object.create(context, Object.getOwnPropertyDescriptors(own));
}
