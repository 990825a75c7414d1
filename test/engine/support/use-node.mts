import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { inTests } from '../../support/resources.mts';
import type { EngineResult, EngineRun } from './engine.mts';
import { Engine } from './engine.mts';
import type { Caller } from './ephemeral-calls.mts';
import { callAsTool } from './ephemeral-calls.mts';
import { N8nLog } from './n8n-log.mts';
import type { ScriptedService } from './scripted-service.mts';
import { useScriptedService } from './scripted-service.mts';

/** Settings: n8n runs the node up to three times (a wait of 0 would mean 1000 ms), or continues after a failed item. */
export const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } as const;
export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** A service that the node can use. */
export interface UsableService {
	credential(): EngineRun['credential'];
	/** See {@link ScriptedService.snapshot}. */
	snapshot?(): () => void;
	readonly writes?: readonly unknown[];
	readonly requests?: readonly unknown[];
	/** The faults, which are reset after each test, and the requests that reached the service. */
	readonly faults?: { reset(): Promise<void>; requests(): Promise<readonly unknown[]> };
}

/** The time actually waited, in whole seconds: as planned, or up to four seconds more on a busy machine. */
export const waited = (seconds: number): unknown => expect.closeTo(seconds + 2, -0.68);
const withinFourSeconds = (seconds: number): unknown => expect.closeTo(seconds, -0.95);

/** Everything but the parameters of a run; by default one empty item and the service's credential. */
export type RunSettings = Partial<Omit<EngineRun, 'parameters'>>;

/** The message and the details of an error. */
interface Refusal {
	readonly message: string;
	readonly code: string;
	readonly hint: string;
}

/** Runs the built node in n8n's engine against a service; see {@link useNode}. */
export class NodeOver<Service extends UsableService> {
	readonly #service: () => Service;

	readonly #engine = inTests(beforeAll, async () => await Engine.create());

	#routed: Promise<Engine> | undefined;

	readonly #log = inTests(beforeEach, () => new N8nLog());

	constructor(service: () => Service) {
		this.#service = service;
		afterEach(async () => {
			this.log.stop();
			await this.service.faults?.reset();
		});
	}

	get service(): Service {
		return this.#service();
	}

	get engine(): Engine {
		return this.#engine();
	}

	/** The lines of n8n's log during the test. */
	get log(): N8nLog {
		return this.#log();
	}

	/** The engines for the node's own operations and for n8n's own routing, in this order. */
	async ways(): Promise<[Engine, Engine]> {
		return [this.engine, await (this.#routed ??= Engine.create(true))];
	}

	/** One run in n8n's engine. */
	async run(
		parameters: IDataObject,
		settings: RunSettings = {},
		way = this.engine,
	): Promise<EngineResult> {
		const credential = this.service.credential();
		return await way.run({ credential, ...settings, parameters: parameters as INodeParameters });
	}

	/** The items of a run, asserted to end without an error. */
	async items(parameters: IDataObject, settings: RunSettings = {}): Promise<IDataObject[]> {
		const { items, error } = await this.run(parameters, settings);
		expect(error).toBeUndefined();
		return items.map(({ json }) => json);
	}

	/** The error of a run that is refused; asserts that no write was sent. */
	async refusal(parameters: IDataObject, settings: RunSettings = {}): Promise<Refusal> {
		const { error } = await this.run(parameters, settings);
		const details = error?.context?.details;
		expect(details).toMatchObject({ outcome: 'refused' });
		expect(this.service.writes ?? []).toEqual([]);
		return { message: error?.message ?? '', ...(details as Omit<Refusal, 'message'>) };
	}

	/** The results of both ways of running the node; the service's lists are restored for the second. */
	async both(parameters: IDataObject, settings: RunSettings = {}): Promise<EngineResult[]> {
		const again = this.service.snapshot?.();
		const results = [];
		for (const way of await this.ways()) {
			again?.();
			results.push(await this.run(parameters, settings, way));
		}
		return results;
	}

	/** The errors of both ways; asserts that they name a parameter of the first item, and that nothing was sent. */
	async refused(parameters: IDataObject, parameter: string, settings: RunSettings = {}) {
		const results = await this.both(parameters, settings);
		const details = { code: 'invalid-input', parameter, itemIndex: 0 };
		for (const { items, error } of results) {
			expect(error).toMatchObject({ context: { details } });
			expect(items).toEqual([]);
		}
		const { requests, faults } = this.service;
		expect(requests ?? (await faults?.requests())).toEqual([]);
		return results.flatMap(({ error }) => error ?? []);
	}

	/** The items, asserted to be the same in both ways except for check times and, on a busy machine, a second of waiting. */
	async outputs(parameters: IDataObject, items?: IDataObject[]): Promise<IDataObject[]> {
		const checkedAt = expect.any(String);
		const [own = [], routed] = (await this.both(parameters, items && { items })).map((result) => {
			expect(result.error).toBeUndefined();
			return result.items.map(({ json }) => ('checkedAt' in json ? { ...json, checkedAt } : json));
		});
		const withSomeTime = (json: IDataObject) => ({
			...json,
			...('checkedFor' in json && { checkedFor: withinFourSeconds(Number(json.checkedFor)) }),
		});
		expect(routed).toEqual(own.map(withSomeTime));
		return own;
	}

	/** Calls the node once, as a tool of n8n's built-in agents, without an execution, with the model's values. */
	async tool(
		parameters: IDataObject,
		given: IDataObject = {},
		caller: Caller & { readonly credential?: EngineRun['credential'] } = {},
	): Promise<IDataObject> {
		const [, { nodeTypes }] = await this.ways();
		const { credential = this.service.credential() } = caller;
		const [item] = await callAsTool(nodeTypes, parameters as never, credential, given, caller);
		return item?.json ?? {};
	}
}

/**
 * The setup that most tests of the node need, for the top of a test file. `useNode()` starts a scripted service for each test,
 * `useNode(useService())` uses the reference service.
 */
export function useNode(): NodeOver<ScriptedService>;
export function useNode<Service extends UsableService>(service: () => Service): NodeOver<Service>;
export function useNode(
	service: () => UsableService = useScriptedService(),
): NodeOver<UsableService> {
	return new NodeOver(service);
}
