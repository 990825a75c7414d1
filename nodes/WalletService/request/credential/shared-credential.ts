import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isObject } from '../../values/objects';
import { settle } from '../../values/settle';
import type { CredentialContext } from './active-credential';
import { TOKEN_CREDENTIAL } from './active-credential';

type Context = Pick<CredentialContext, 'getCredentials'>;

/** Reads a credential, as contexts of n8n do. */
export type GetCredentials = (type: string) => Promise<ICredentialDataDecryptedObject>;

/**
 * An n8n context with members of its own, which take precedence over those of the original. The original is not changed,
 * because n8n passes the same context to other code.
 *
 * @example deriveContext(context, { getItemIndex: () => 3 }).getItemIndex() // 3
 */
export function deriveContext<T extends object>(context: T, own: object): T {
	return Object.create(context, Object.getOwnPropertyDescriptors(own));
}

/** n8n's expression resolver, through which every credential passes on its way to a node. */
interface Resolver {
	getParameterValue(data: unknown, ...rest: unknown[]): unknown;
}

function resolverOf(workflow: unknown): Resolver | undefined {
	if (!isObject(workflow) || !isObject(workflow.expression)) return undefined;
	const { expression } = workflow;
	if (typeof expression.getParameterValue !== 'function') return undefined;
	return expression as unknown as Resolver;
}

/** Whether any string in a value is an expression. */
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return isObject(value) && Object.values(value).some(hasExpression);
}

/**
 * Reads the credential of an item, and observes it on its way through n8n's expression resolver.
 *
 * @returns `undefined` if it contains an expression or could not be observed: then it may differ from item to item
 */
async function readUnlessPerItem(
	context: Context,
): Promise<ICredentialDataDecryptedObject | undefined> {
	const workflow: unknown = Reflect.get(context, 'workflow');
	const resolver = resolverOf(workflow);
	if (!isObject(workflow) || resolver === undefined) return undefined;
	const stored: unknown[] = [];
	const getParameterValue = (data: unknown, ...rest: unknown[]) => {
		stored.push(data);
		return resolver.getParameterValue(data, ...rest);
	};
	const watching = deriveContext(resolver, { getParameterValue });
	const watched: Context = deriveContext(context, {
		workflow: deriveContext(workflow, { expression: watching }),
	});
	const getCredentials: GetCredentials = context.getCredentials;
	const result = await settle(getCredentials.call(watched, TOKEN_CREDENTIAL));
	const isSame = result.status === 'fulfilled' && stored.length > 0 && !hasExpression(stored);
	return isSame ? result.value : undefined;
}

/**
 * One credential for all items of a run. n8n reads it from its database and decrypts it for every request, which takes
 * about a quarter of the time of an item. It is read for each item if it has expressions, if that cannot be ruled out, and for
 * OAuth2, because n8n renews the token between requests.
 */
export class SharedCredential {
	#shared: Promise<ICredentialDataDecryptedObject | undefined> | undefined;

	/**
	 * Reads the credential for an item.
	 *
	 * @param context the item's own, which reads a credential for that item
	 */
	async read(context: Context, type: string): Promise<ICredentialDataDecryptedObject> {
		if (type !== TOKEN_CREDENTIAL) return await context.getCredentials(type);
		this.#shared ??= readUnlessPerItem(context);
		return (await this.#shared) ?? (await context.getCredentials(type));
	}
}
