/**
 * What a request does with n8n's OAuth2, as n8n before 2.30 has it: each request renews by itself, with the refresh token that
 * it began with, and sends through the helper of its context. `test:versions` runs the real ones.
 */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { ServiceError } from '../../../../nodes/WalletService/request/failure/service-error.ts';
import type { SignIn } from '../../../../nodes/WalletService/request/sign-in/sign-in.ts';
import { renewalTurns } from '../../../../nodes/WalletService/request/sign-in/renewal-turns.ts';
import { sendRenewing } from '../../../../nodes/WalletService/request/sign-in/renewal.ts';

const TOKEN_URL = 'https://wallet.example/token';
const UNAUTHORIZED = { statusCode: 401, body: 'Unauthorized', headers: {} };

let accounts = 0;

/** An account whose access token has ended, at a service that gives each refresh token for one use. */
class Account {
	readonly session: SignIn;
	readonly signal = new AbortController();
	#generation = 0;
	/** Access tokens of the requests that reached the service. */
	received: string[] = [];
	renewals = 0;
	/** What renewing waits for. */
	renewable: Promise<unknown> = Promise.resolve();

	constructor() {
		this.session = {
			name: 'My account',
			credential: `account ${++accounts}`,
			tokenUrl: TOKEN_URL,
			readTokens: async () => ({
				accessToken: String(this.#generation),
				hasRefreshToken: true,
				lifetime: 3600,
			}),
		};
	}

	/** What nodes have of n8n. */
	newContext = () => ({
		helpers: {
			httpRequest: async ({ headers }: IHttpRequestOptions) => {
				const token = String(headers?.Authorization).replace('Bearer ', '');
				this.received.push(token);
				await null;
				return token === '0' ? UNAUTHORIZED : { statusCode: 200, body: token, headers: {} };
			},
		},
	});

	async #renew(refreshToken: number): Promise<number> {
		await this.renewable;
		if (refreshToken !== this.#generation) throw new Error('The refresh token was used before');
		this.renewals += 1;
		return ++this.#generation;
	}

	/** n8n's `httpRequestWithAuthentication`. */
	async request(context: ReturnType<Account['newContext']>, method: 'GET' | 'POST' = 'GET') {
		const begun = this.#generation;
		const abortSignal = this.signal.signal;
		const options = (token: number): IHttpRequestOptions => ({
			url: '/v1/x',
			method,
			abortSignal,
			headers: { Authorization: `Bearer ${token}` },
		});
		return await context.helpers
			.httpRequest(options(begun))
			.catch(async (error: { response?: { status?: number } }) => {
				if (error.response?.status !== 401) throw error;
				return await context.helpers.httpRequest(options(await this.#renew(begun)));
			});
	}

	/** The same, as the node sends it. */
	async send(context = this.newContext()) {
		return await sendRenewing(
			context,
			this.session,
			async (renewing) => await this.request(renewing),
		);
	}
}

test('requests that are refused together are renewed by one of them, and each is sent once more', async () => {
	const account = new Account();
	const answers = await Promise.all(Array.from({ length: 10 }, async () => await account.send()));
	expect(answers.map((answer) => answer.body)).toEqual(Array(10).fill('1'));
	expect(account.renewals).toBe(1);
	expect(account.received).toEqual([...Array(10).fill('0'), ...Array(10).fill('1')]);
});

test('the context stays as it is', async () => {
	const account = new Account();
	const context = account.newContext();
	const { helpers } = context;
	await account.send(context);
	expect(context.helpers).toBe(helpers);
});

test('without a sign-in a 401 is an answer', async () => {
	const account = new Account();
	const context = account.newContext();
	const answer = await sendRenewing(
		context,
		undefined,
		async (same) => await account.request(same),
	);
	expect(answer).toEqual(UNAUTHORIZED);
	expect(account.received).toEqual(['0']);
});

describe('a renewal that does not come', () => {
	let account: Account;
	let renew: (value?: unknown) => void;

	beforeEach(() => {
		account = new Account();
		const { promise, resolve } = Promise.withResolvers();
		account.renewable = promise;
		renew = resolve;
	});

	test('is waited for as long as the request may take; what n8n sends later is not sent', async () => {
		const context = account.newContext();
		let late: Promise<unknown> | undefined;
		const sending = sendRenewing(context, account.session, async (renewing) => {
			late = account.request(renewing);
			return await late;
		});
		// Another one waits for its turn meanwhile.
		const waiting = account.send();
		const refused = expect.objectContaining({ certainty: 'refused', isTransient: true });
		account.signal.abort();
		for (const one of [sending, waiting]) {
			await expect(one).rejects.toMatchObject({ details: refused });
		}
		expect(account.received).toEqual(['0', '0']);
		renew();
		await expect(late).rejects.toThrow('does not answer in time');
		expect(account.renewals).toBe(1);
		expect(account.received).toEqual(['0', '0']);
	});

	test('lets the next request try it', async () => {
		const given = account.send();
		account.signal.abort();
		await expect(given).rejects.toThrow(ServiceError);
		account.renewable = Promise.resolve();
		Object.assign(account, { signal: new AbortController() });
		expect(await account.send()).toMatchObject({ body: '1' });
		renew();
	});
});

test('a sign-in that was revoked is told alike by versions of n8n that say so and by those that do not', async () => {
	const account = new Account();
	account.renewable = Promise.reject(
		Object.assign(new Error('Refused'), { body: { error: 'invalid_grant' } }),
	);
	await expect(account.send()).rejects.toThrow(/has ended: the service no longer accepts it/);
	expect(account.received).toEqual(['0']);
});

test('an error of another request than that for the tokens is not taken for a renewal that failed', async () => {
	const account = new Account();
	const context = account.newContext();
	const cut = Object.assign(new Error('socket hang up'), {
		code: 'ECONNRESET',
		config: { url: 'https://wallet.example/v1/x' },
	});
	const sending = sendRenewing(context, account.session, async (renewing) => {
		await account.request({ helpers: renewing.helpers }).catch(() => undefined);
		throw cut;
	});
	account.renewable = Promise.reject(cut);
	await expect(sending).rejects.toBe(cut);
});

test('who no longer waits for a turn does not hold up the next one', async () => {
	const endFirst = await renewalTurns.take('credential', undefined);
	const cancel = new AbortController();
	const second = renewalTurns.take('credential', cancel.signal);
	const third = renewalTurns.take('credential', undefined);
	cancel.abort();
	expect(await second).toBeUndefined();
	endFirst?.();
	expect(await third).toBeDefined();
});
