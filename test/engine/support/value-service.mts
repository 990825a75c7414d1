import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { EngineResult, EngineRun } from './engine.mts';
import { Engine } from './engine.mts';
import type { ScriptedAnswer } from './scripted-service.mts';
import { ScriptedService } from './scripted-service.mts';

export const CONTRACT = `0x${'0c'.repeat(20)}`;
export const OWNER = { id: 'DISCORD-1', address: `0x${'ab'.repeat(20)}` };

/** The answer to a read. */
export const valueAnswer = (response: unknown): ScriptedAnswer => ({
	body: JSON.stringify({ status: 'SUCCESS', explorerUrl: 'http://127.0.0.1/contract', response }),
});

/** A service whose contract returns what a test says, and n8n's two ways to read it. */
export class ValueService implements AsyncDisposable {
	/** What is returned at each look, for each list of arguments; the last one stays. */
	values: Record<string, unknown[]> = {};

	/** The arguments of each read, in order. */
	readonly asked: string[] = [];

	readonly #service: ScriptedService;

	readonly #ways: Engine[];

	private constructor(service: ScriptedService, ways: Engine[]) {
		this.#service = service;
		this.#ways = ways;
		this.reset();
	}

	static async start(): Promise<ValueService> {
		const ways = await Promise.all([Engine.create(), Engine.create(true)]);
		return new ValueService(await ScriptedService.start(), ways);
	}

	reset(): void {
		this.asked.length = 0;
		this.values = {};
		this.#service.script = (request) => this.answer(request);
	}

	/** Answers a request in the place of `answer`. */
	set script(script: ScriptedService['script']) {
		this.#service.script = script;
	}

	answer({ path, body }: { readonly path: string; readonly body: string }): ScriptedAnswer {
		if (path.startsWith('/v1/users/')) return { body: JSON.stringify(OWNER) };
		const { abi, args } = JSON.parse(body);
		if (String(abi).startsWith('decimals')) return valueAnswer(6);
		if (String(abi).startsWith('symbol')) return valueAnswer('SUSD');
		const key = args.join();
		this.asked.push(key);
		const given = this.values[key] ?? [];
		return valueAnswer(given.length > 1 ? given.shift() : given[0]);
	}

	get credential(): Record<string, string> {
		return { baseUrl: this.#service.baseUrl, accessToken: 'of-a-user', userId: OWNER.id };
	}

	async run(
		parameters: INodeParameters,
		items: IDataObject[] = [{}],
		more: Partial<EngineRun> = {},
		engine = this.#ways[0],
	): Promise<EngineResult> {
		if (engine === undefined) throw new Error('There is no engine');
		return await engine.run({ parameters, credential: this.credential, items, ...more });
	}

	/** The items, the same in both ways, but for the time of the last look. */
	async outputs(parameters: INodeParameters, items?: IDataObject[]): Promise<IDataObject[]> {
		const before = structuredClone(this.values);
		const all = [];
		for (const engine of this.#ways) {
			this.values = structuredClone(before);
			const { items: output, error } = await this.run(parameters, items, {}, engine);
			expect(error).toBeUndefined();
			all.push(
				output.map(({ json }): IDataObject => ({ ...json, checkedAt: typeof json.checkedAt })),
			);
		}
		expect(all[1]).toEqual(all[0]);
		return all[0] ?? [];
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#service[Symbol.asyncDispose]();
	}
}

/** The parameters of a read by a signature, with Wait Until. */
export const readUntil = (
	abi: string,
	until: INodeParameters,
	options: INodeParameters = {},
	more: INodeParameters = {},
): INodeParameters => ({
	...{ resource: 'contract', operation: 'read', functionSource: 'signature' },
	...{ contractAddress: CONTRACT, abi, argumentsMode: 'json', ...more },
	options: { maxTries: 1, ...options, waitUntil: { until } },
});
