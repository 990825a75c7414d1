import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Once } from '../../values/caches';
import { isObject } from '../../values/objects';
import { settle } from '../../values/settle';
import type { CredentialContext } from './active-credential';
import { TOKEN_CREDENTIAL } from './active-credential';

type CredentialSource = Pick<CredentialContext, 'getCredentials'>;

export type GetCredentials = (type: string) => Promise<ICredentialDataDecryptedObject>;

/** Derives an n8n context with some members replaced; the original is unchanged, because n8n passes it to other code. */
export function deriveContext<T extends object>(context: T, own: object): T {
	return Object.create(context, Object.getOwnPropertyDescriptors(own));
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return isObject(value) && Object.values(value).some(hasExpression);
}

/** Reads an item's credential and observes n8n's resolver; `undefined` if expressions may make it differ by item. */
async function readUnlessPerItem(
	context: CredentialSource,
	itemIndex?: number,
): Promise<ICredentialDataDecryptedObject | undefined> {
	const workflow: unknown = Reflect.get(context, 'workflow');
	const resolver = isObject(workflow) ? workflow.expression : undefined;
	if (!isObject(workflow) || !isObject(resolver)) return undefined;
	const { getParameterValue } = resolver;
	if (typeof getParameterValue !== 'function') return undefined;
	const stored: unknown[] = [];
	const watching = deriveContext(resolver, {
		getParameterValue: (...given: unknown[]): unknown => {
			stored.push(given[0]);
			return Reflect.apply(getParameterValue, resolver, given);
		},
	});
	const watched = deriveContext(context, {
		workflow: deriveContext(workflow, { expression: watching }),
	});
	const result = await settle(watched.getCredentials(TOKEN_CREDENTIAL, itemIndex));
	const isSame = result.status === 'fulfilled' && stored.length > 0 && !hasExpression(stored);
	return isSame ? result.value : undefined;
}

/**
 * Reads the credential of an item once for all items of a run: otherwise n8n reads and decrypts it for every request,
 * which takes about a quarter of the time of an item. It is read for each item if it has, or may have, expressions, and
 * for OAuth2, because n8n renews the token between requests.
 *
 * @param once the cache of the run
 * @param context n8n's context of the node or the item
 */
export async function readOncePerRun(
	once: Once,
	context: CredentialSource,
	type: string,
	itemIndex?: number,
): Promise<ICredentialDataDecryptedObject> {
	if (type !== TOKEN_CREDENTIAL) return await context.getCredentials(type, itemIndex);
	const read = async () => await readUnlessPerItem(context, itemIndex);
	return (await once.get(type, read)) ?? (await context.getCredentials(type, itemIndex));
}
