import type { IPollFunctions } from 'n8n-workflow';

import { usesOAuth } from '../request/active-credential';
import { wrongShape } from '../request/answer';
import type { CallFailure } from '../request/call-failure';
import { exchange } from '../request/exchange';
import { NodeRun } from '../request/node-run';
import { fillRoute } from '../request/path';
import { isItem } from '../request/receive';
import { withRetry } from '../request/retry';
import { InvalidInput } from '../values/invalid-input';
import { parseAddress } from '../values/address';

const TOO_MANY_REQUESTS = 429;

/** Reads what the service says of wallets: a bounded number of requests at a time, tried again while that may help. */
export class WalletReader {
	readonly #context: IPollFunctions;

	readonly #run: NodeRun;

	/** @throws InvalidInput when the node's options are not right. */
	constructor(context: IPollFunctions) {
		this.#context = context;
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

	async #get(route: string, values: Readonly<Record<string, string>>): Promise<unknown> {
		const run = this.#run;
		const { settings } = run;
		const url = fillRoute(route, values);
		const rules = {
			settings,
			cancel: undefined,
			mayRetry: ({ details }: CallFailure) => details.isPassing === true,
			onPause: ({ details }: CallFailure, milliseconds: number) => {
				if (details.httpStatus === TOO_MANY_REQUESTS) run.holdFor(milliseconds);
			},
		};
		await run.turns.take();
		try {
			return await withRetry(rules, async () => {
				await run.untilResumed(undefined);
				return await exchange(this.#context, { method: 'GET', url }, settings);
			});
		} finally {
			run.turns.end();
		}
	}
}
