import { randomString } from 'n8n-workflow';

/** Names of tool calls, which no execution identifies, by the object of their place. */
const invocations = new WeakMap<object, string>();

/**
 * The name of an execution or, without one, of an invocation, which no other one has.
 *
 * @example scopeText('execution 1') // 'execution 1'
 */
export function scopeText(scope: string | object): string {
	if (typeof scope === 'string') return scope;
	const known = invocations.get(scope) ?? randomString(32);
	invocations.set(scope, known);
	return known;
}
