import { TOKEN_CREDENTIAL } from '../request/credential/active-credential';
import type { ServiceDescription } from '../request/http/service-description';
import { refuse } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { PinnedCredential } from './pinned-credential';

/** The option that names who pays. */
export const SENDER = 'sender';

/** The account of a write. */
export interface WriteAccount {
	/** Differs by service, and by pasted token or OAuth2 sign-in. */
	readonly key: string;
	/** Service and user, if the service says whose the token is. */
	readonly user?: string | undefined;
}

/**
 * A credential with the user whose token it is. An OAuth2 sign-in needs none: it stays the same when its token is renewed.
 *
 * @param description what the service says of itself to this credential
 * @example withUser(await pinCredential(context), { user: 'GITHUB-1' }).user // 'GITHUB-1', for a pasted token
 */
export const withUser = (
	pinned: PinnedCredential,
	{ user }: Pick<ServiceDescription, 'user'>,
): PinnedCredential => (pinned.type === TOKEN_CREDENTIAL ? { ...pinned, user } : pinned);

/**
 * Whether two writes have one account: by their users at one service, and where it does not name both, by their tokens or
 * sign-ins.
 *
 * @example isSameAccount({ key: 'token 1', user: 'url GITHUB-1' }, { key: 'token 2', user: 'url GITHUB-1' }) // true
 */
export const isSameAccount = (one: WriteAccount, other: WriteAccount): boolean =>
	one.user !== undefined && other.user !== undefined
		? one.user === other.user
		: one.key === other.key;

/**
 * The account of a write.
 *
 * @example accountOf(await pinCredential(context)).key // '["https://wallet.example.com","token"]'
 */
export const accountOf = ({ key, user, baseUrl }: PinnedCredential): WriteAccount => ({
	key,
	user: user === undefined ? undefined : JSON.stringify([baseUrl, user]),
});

/**
 * Whether the key of a write of unknown outcome counts at the account of a credential.
 *
 * @example isOfAccount({ account: { key: 'token 1' } }, undefined) // false
 */
export const isOfAccount = (
	{ account }: { readonly account?: WriteAccount | undefined },
	pinned: PinnedCredential | undefined,
): boolean =>
	account !== undefined && pinned !== undefined && isSameAccount(account, accountOf(pinned));

/** The name of an account in this process. @example accountName({ key: 'token 1' }) // 'token 1' */
export const accountName = ({ key, user }: WriteAccount): string => user ?? key;

const BY_CHECK =
	'Nothing was sent. Choose the credential with which the payment was checked, or check it again with this one';
const BY_USER_ID = 'Nothing was sent. Correct the User ID in the credential';

/**
 * Checks that a credential belongs to the user who is to pay.
 *
 * @param sender absent if anybody may
 * @param user whose token it is, if the service says so
 * @throws InvalidInputError
 * @example assertSender({ userId: 'GITHUB-1' }, 'GITHUB-1') // undefined
 */
export function assertSender(
	{ userId }: Pick<PinnedCredential, 'userId'>,
	sender: string | undefined,
	user?: string,
): void {
	if (sender === undefined) return;
	const payer = user ?? userId;
	const meant = `but ${quote(sender)} is to pay`;
	const fail = (problem: string, hint: string) => refuse(['options', SENDER], problem, hint);
	if (payer === undefined) fail(`The credential names no user, ${meant}`, BY_USER_ID);
	if (payer !== sender) fail(`The credential belongs to ${quote(payer)}, ${meant}`, BY_CHECK);
	if ((userId ?? payer) === payer) return;
	fail(`The credential belongs to ${quote(payer)}, but names ${quote(userId)}`, BY_USER_ID);
}
