import type { ICredentialDataDecryptedObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { isObject } from '../../values/objects';
import { settle } from '../../values/settle';
import { deriveContext } from './derive-context';

/**
 * The type of credential that does not change during a run. n8n renews an OAuth2 token between requests, so that type is
 * read every time.
 */
const FIXED_CREDENTIAL = 'walletServiceApi';

/** The part of a context of n8n that is needed; the index counts where it is that of a whole node. */
export type CredentialContext = Pick<IExecuteSingleFunctions, 'getCredentials'>;

/** Reads a credential, as contexts of n8n do. */
export type GetCredentials = (type: string) => Promise<ICredentialDataDecryptedObject>;

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
	context: CredentialContext,
	itemIndex?: number,
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
	const watched: CredentialContext = deriveContext(context, {
		workflow: deriveContext(workflow, { expression: watching }),
	});
	const result = await settle(watched.getCredentials(FIXED_CREDENTIAL, itemIndex));
	const isSame = result.status === 'fulfilled' && stored.length > 0 && !hasExpression(stored);
	return isSame ? result.value : undefined;
}

/**
 * One credential for all items of a run. n8n reads it from its database and decrypts it for every request, which takes
 * about a quarter of the time of an item. A credential with expressions can have a different token for each item: it is
 * read for each item, and so is one for which this cannot be ruled out.
 */
export class SharedCredential {
	#shared: Promise<ICredentialDataDecryptedObject | undefined> | undefined;

	/**
	 * Reads the credential for an item.
	 *
	 * @param context that of n8n, for the node or for the item
	 */
	async read(
		context: CredentialContext,
		type: string,
		itemIndex?: number,
	): Promise<ICredentialDataDecryptedObject> {
		if (type !== FIXED_CREDENTIAL) return await context.getCredentials(type, itemIndex);
		this.#shared ??= readUnlessPerItem(context, itemIndex);
		return (await this.#shared) ?? (await context.getCredentials(type, itemIndex));
	}
}
