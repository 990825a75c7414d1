import type { IDataObject, INode } from 'n8n-workflow';

import type { EngineResult, EngineRun } from './engine.mts';
import { Engine } from './engine.mts';
import type { ScriptedAnswer, ScriptedRequest } from './scripted-service.mts';
import { ScriptedService } from './scripted-service.mts';
import { useResources } from '../../support/resources.mts';

/** The token of these tests; the service knows nothing of it but what a test says. */
export const TOKEN = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
export const ALICE = { id: 'DISCORD-1', address: `0x${'a1'.repeat(20)}` };
export const BOB = { id: 'GOOGLE-2', address: `0x${'b2'.repeat(20)}` };

const READ = '/v1/contracts/method/read';
const WRITE = '/v1/contracts/method/write';

const json = (value: unknown, status = 200): ScriptedAnswer => ({
	status,
	body: JSON.stringify(value),
});
const failed = (error: string): ScriptedAnswer => json({ status: 'FAILED', error });

/** What a token says about itself; `undefined` for a function that it does not have, a number for an HTTP status. */
export interface TokenFacts {
	readonly decimals?: unknown;
	readonly symbol?: unknown;
	/** Whether it says that it is one of ERC-721. */
	readonly isNft?: boolean;
	/** What each user has, in base units; an HTTP status when it cannot be looked up. */
	readonly balance?: string | number;
}

export const hashOf = (write: number): string => `0x${write.toString(16).padStart(64, '0')}`;

/** Sends of a token through n8n's engine, to a service that says of the token and answers to writes what a test wants. */
export class TokenSends {
	facts: TokenFacts = {};

	/** Answers every question for Bob's profile, when a test sets it. */
	profile: IDataObject | undefined;

	/** Answers of the next writes, in order; afterwards each succeeds with a hash of its own. */
	readonly answers: ScriptedAnswer[] = [];

	#engine: Engine | undefined;

	#service: ScriptedService | undefined;

	/** Prepares a test file; to be called at its top. */
	static prepare(): TokenSends {
		const sends = new TokenSends();
		const resources = useResources();
		beforeAll(async () => {
			[sends.#engine, sends.#service] = await Promise.all([
				Engine.create(),
				resources.use(ScriptedService.start()),
			]);
			sends.service.script = (request) => sends.#answer(request);
		});
		beforeEach(() => {
			sends.service.reset();
			sends.answers.length = 0;
			sends.profile = undefined;
			sends.facts = { decimals: 6, symbol: 'SUSD', balance: '1000000000000' };
		});
		return sends;
	}

	get service(): ScriptedService {
		if (this.#service === undefined) throw new Error('To be used in a test only');
		return this.#service;
	}

	get engine(): Engine {
		if (this.#engine === undefined) throw new Error('To be used in a test only');
		return this.#engine;
	}

	#bodies(path: string): IDataObject[] {
		const requests = this.service.requests.filter((request) => request.path === path);
		return requests.map(({ body }) => JSON.parse(body) as IDataObject);
	}

	/** The bodies of all writes that reached the service. */
	get writes(): IDataObject[] {
		return this.#bodies(WRITE);
	}

	/** The functions that were read, in order. */
	get reads(): string[] {
		return this.#bodies(READ).map(({ abi }) => String(abi).replace(/\(.*/, ''));
	}

	/** How often a balance was asked for. */
	get balanceLookUps(): number {
		return this.service.requests.filter(({ path }) => path.includes('/balance/')).length;
	}

	#answer({ path, body }: ScriptedRequest): ScriptedAnswer {
		if (path === WRITE) {
			const success = json({
				status: 'SUCCESS',
				hash: hashOf(this.writes.length),
				explorerUrl: 'x',
				tx: {},
			});
			return this.answers.shift() ?? success;
		}
		if (path === READ) {
			const name = String((JSON.parse(body) as IDataObject).abi).replace(/\(.*/, '');
			const { decimals, isNft, symbol } = this.facts;
			// The ID of ERC-721 in ERC-165.
			const supportsInterface = isNft && body.includes('0x80ac58cd');
			const facts: Record<string, unknown> = { decimals, supportsInterface };
			const fact = name in facts ? facts[name] : symbol;
			if (fact === undefined) return failed('execution reverted');
			return typeof fact === 'number' && fact >= 400
				? json({}, fact)
				: json({ status: 'SUCCESS', response: fact });
		}
		const { balance } = this.facts;
		if (path.includes('/balance/')) {
			return typeof balance === 'number'
				? json({}, balance)
				: json({ [TOKEN.toLowerCase()]: { balance } });
		}
		if (path === `/v1/users/${BOB.id}` && this.profile !== undefined) return json(this.profile);
		const user = [ALICE, BOB].find(({ id }) => path === `/v1/users/${id}`);
		return user === undefined ? json({ error: 'no such user' }, 404) : json({ ...user });
	}

	credential(changes: IDataObject = {}): EngineRun['credential'] {
		const { baseUrl } = this.service;
		return { baseUrl, accessToken: 'secret-token', userId: ALICE.id, ...changes } as never;
	}

	/** The parameters of a send of 12.5 tokens to Bob, with changes. */
	parameters(changes: IDataObject = {}): EngineRun['parameters'] {
		const send = { resource: 'token', operation: 'send', token: TOKEN, recipient: BOB.id };
		return { ...send, amount: '12.5', ...changes } as never;
	}

	async run(
		changes?: IDataObject,
		node: Partial<INode> = {},
		more: Partial<EngineRun> = {},
	): Promise<EngineResult> {
		const parameters = this.parameters(changes);
		return await this.engine.run({ parameters, credential: this.credential(), node, ...more });
	}
}
