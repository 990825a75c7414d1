import type { ICredentialDataDecryptedObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { TOKEN_CREDENTIAL } from './active-credential';

/**
 * The credential that stays as it is during a run. n8n renews an OAuth2 token between requests, so that credential is
 * read every time.
 */
const FIXED_CREDENTIAL = TOKEN_CREDENTIAL;

/** Items whose credential is compared before one is taken for all of them; runs up to this size compare all. */
const COMPARED_ITEMS = 20;

type ReadCredential = () => Promise<ICredentialDataDecryptedObject>;

/** What of an item's context is needed. */
export type CredentialContext = Pick<IExecuteSingleFunctions, 'getCredentials' | 'getExecuteData'>;

/** Evenly spread entries of a list, the first and the last among them. */
function spread<Entry>(list: readonly Entry[], count: number): Entry[] {
	if (list.length <= count) return [...list];
	const step = (list.length - 1) / (count - 1);
	return list.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}

/**
 * One credential for all items of a run. n8n reads it from its database and decrypts it for every request, which takes
 * about a quarter of the time of an item. A credential can hold expressions that give each item a token of its own:
 * it is shared only when it is the same for items all over the run, otherwise each item reads its own.
 */
export class SharedCredential {
	#readers: ReadCredential[] = [];

	#shared: Promise<ICredentialDataDecryptedObject | undefined> | undefined;

	/**
	 * Lets an item take part. Its requests get the credential from its context, so that is where the shared one goes.
	 *
	 * @param context one item's context; it is changed
	 */
	join(context: CredentialContext): void {
		const read = context.getCredentials.bind(context);
		const readFixed = async () => await read<ICredentialDataDecryptedObject>(FIXED_CREDENTIAL);
		const itemCount = context.getExecuteData().data.main?.[0]?.length;
		this.#readers.push(readFixed);
		Object.defineProperty(context, 'getCredentials', {
			value: async (type: string) => {
				if (type !== FIXED_CREDENTIAL) return await read(type);
				this.#shared ??= this.#find(itemCount);
				return (await this.#shared) ?? (await readFixed());
			},
		});
	}

	/** The credential that all items have in common; `undefined` when they have none, or are not all here to tell. */
	async #find(itemCount: number | undefined): Promise<ICredentialDataDecryptedObject | undefined> {
		// n8n hands all items over without a break, unless the user makes it batch them: wait for the last one.
		await Promise.resolve();
		const readers = this.#readers;
		this.#readers = [];
		if (readers.length !== itemCount) return undefined;
		const [first, ...others] = await Promise.all(
			spread(readers, COMPARED_ITEMS).map(async (read) => await read()),
		);
		const text = JSON.stringify(first);
		return others.every((other) => JSON.stringify(other) === text) ? first : undefined;
	}
}
