import type { IPollFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { usesOAuth } from '../request/credential/active-credential';
import { fillRoute } from '../request/http/path';
import type { Route } from '../request/http/routes';
import { ROUTES } from '../request/http/routes';
import { ServiceClient } from '../request/http/service-client';
import { parameterReader } from '../request/run/read-parameter';
import { Run } from '../request/run/run';
import { readContract } from '../resources/contract/response';
import { LookUps } from '../resources/look-ups/look-ups';
import { lookUpAddress } from '../resources/look-ups/user-addresses';
import { monotonicMs } from '../values/clock';
import { triggerParameters } from './parameters';

/** Milliseconds after which n8n abandons a poll and its results; an n8n that never does has no such function. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? Infinity;
}

/**
 * Reads wallets and contracts from the service: a bounded number of requests at a time, with retries, and all of them within the time
 * that n8n allows a poll.
 */
export class WalletReader {
	readonly context: IPollFunctions;

	readonly #run: Run;

	readonly #client: ServiceClient;

	/** @throws InvalidInputError when the node's options are invalid. */
	constructor(context: IPollFunctions) {
		this.context = context;
		const read = parameterReader(context, triggerParameters);
		const endsAt = monotonicMs() + budgetOf(context);
		this.#run = new Run((name) => read(name, {}), { probesFirst: usesOAuth(context), endsAt });
		if (this.#run.invalidOptions !== undefined) throw this.#run.invalidOptions;
		this.#client = new ServiceClient(context, this.#run);
	}

	/** The address of a user's wallet, lower case (interface, section 4.1). */
	async address(userId: string): Promise<string> {
		return (await lookUpAddress(userId, this.#client)).toLowerCase();
	}

	/** The answer with a user's transfers (interface, section 4.4). */
	async history(userId: string): Promise<unknown> {
		return await this.#get(ROUTES.history, { userId });
	}

	/** The answer with a user's balance (interface, sections 4.2 and 4.3). */
	async balance(userId: string, tokenAddress: string | undefined): Promise<unknown> {
		if (tokenAddress === undefined) return await this.#get(ROUTES.nativeBalance, { userId });
		return await this.#get(ROUTES.tokenBalance, { userId, tokenAddress });
	}

	/** Looks up what a call of a contract needs, and what its answer is compared with. */
	lookUps(contractAddress: string): LookUps {
		return new LookUps({ item: this, run: this.#run, client: this.#client }, contractAddress);
	}

	/** The answer to a call of a contract (interface, section 4.5). */
	async contract(call: CheckedCall): Promise<unknown> {
		return await readContract(this.#client, call);
	}

	async #get({ url }: Route, values: Readonly<Record<string, string>>): Promise<unknown> {
		return await this.#client.get(fillRoute(url, values));
	}
}
