import type { IPollFunctions } from 'n8n-workflow';

import { usesOAuth } from '../request/active-credential';
import { wrongShape } from '../request/answer';
import { CallFailure } from '../request/call-failure';
import { exchange } from '../request/exchange';
import { NodeRun } from '../request/node-run';
import type { RequestSettings } from '../request/options';
import { fillRoute } from '../request/path';
import { isItem } from '../request/receive';
import { withRetry } from '../request/retry';
import { InvalidInput } from '../values/invalid-input';
import { parseAddress } from '../values/address';

const TOO_MANY_REQUESTS = 429;

/** Milliseconds after which n8n gives a poll up, with all that it has found; an n8n that never does has no such function. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? Infinity;
}

/**
 * Reads what the service says of wallets: a bounded number of requests at a time, tried again while that may help, and all
 * of them within the time that n8n gives the poll.
 */
export class WalletReader {
	readonly #context: IPollFunctions;

	readonly #run: NodeRun;

	/** When the last answer has to be there, in milliseconds since 1970. */
	readonly #end: number;

	/** @throws InvalidInput when the node's options are not right. */
	constructor(context: IPollFunctions) {
		this.#context = context;
		this.#end = Date.now() + budgetOf(context);
		const read = (name: string) => context.getNodeParameter(name, {});
		this.#run = new NodeRun(read, 'together', usesOAuth(context));
		if (this.#run.refusal !== undefined) throw this.#run.refusal;
	}

	/** The address of a user's wallet, lower case (interface, section 4.1). */
	async address(userId: string): Promise<string> {
		const user = await this.#get('/v1/users/:userId', { userId });
		if (!isItem(user)) throw wrongShape('a user', user);
		try {
			return parseAddress(user.address, 'address').toLowerCase();
		} catch (error) {
			throw error instanceof InvalidInput ? wrongShape('a user with an address', user) : error;
		}
	}

	/** The answer that holds a user's transfers (interface, section 4.4). */
	async history(userId: string): Promise<unknown> {
		return await this.#get('/v1/users/:userId/history', { userId });
	}

	/** The answer that holds a user's balance (interface, sections 4.2 and 4.3). */
	async balance(userId: string, tokenAddress: string | undefined): Promise<unknown> {
		if (tokenAddress === undefined) return await this.#get('/v1/users/:userId/balance', { userId });
		return await this.#get('/v1/users/:userId/balance/:tokenAddress', { userId, tokenAddress });
	}

	/** The settings, as far as the time that is left allows. */
	#settingsNow(): RequestSettings {
		const left = this.#end - Date.now();
		const { settings } = this.#run;
		if (left > 0) {
			const { retryForMs, timeoutMs } = settings;
			return {
				...settings,
				retryForMs: Math.min(retryForMs, left),
				timeoutMs: Math.min(timeoutMs, left),
			};
		}
		throw new CallFailure({
			message: 'The time that n8n gives a poll was over before the service could be asked',
			hint: 'Give a shorter Timeout under Options, watch fewer users with one trigger, or let n8n give polls more time',
			code: 'not-sent',
		});
	}

	async #get(route: string, values: Readonly<Record<string, string>>): Promise<unknown> {
		const run = this.#run;
		const url = fillRoute(route, values);
		await run.turns.take();
		try {
			const rules = {
				settings: this.#settingsNow(),
				cancel: undefined,
				mayRetry: ({ details }: CallFailure) => details.isPassing === true,
				onPause: ({ details }: CallFailure, milliseconds: number) => {
					if (details.httpStatus === TOO_MANY_REQUESTS) run.holdFor(milliseconds);
				},
			};
			return await withRetry(rules, async () => {
				await run.untilResumed(undefined);
				return await exchange(this.#context, { method: 'GET', url }, this.#settingsNow());
			});
		} finally {
			run.turns.end();
		}
	}
}
