import type { IHttpRequestOptions } from 'n8n-workflow';

import { additionalDataFor } from '../../support/engine.mts';
import { N8nLog } from '../../support/n8n-log.mts';
import { ScriptedService } from '../../support/scripted-service.mts';
import { StoredCredentials } from '../../support/stored-credentials.mts';
import { SUCCEEDED } from './answers.mts';
import { Clients, SCOPE_HEADER } from './clients.mts';
import type { Entry, Logs, NodeRun } from './logs.mts';
import { clock } from './logs.mts';
import { runTools } from './run-tools.mts';
import { runAgent, runWorkflow } from './run-workflow.mts';
import type { Scenario } from './scenarios.mts';
import { WatchedNodeTypes, work } from './watched-nodes.mts';

/** Credentials whose requests identify their run. */
class ScopedCredentials extends StoredCredentials {
	override async authenticate(
		...given: Parameters<StoredCredentials['authenticate']>
	): Promise<IHttpRequestOptions> {
		const request = await super.authenticate(...given);
		const scope = work.getStore()?.run?.scope;
		return { ...request, headers: { ...request.headers, [SCOPE_HEADER]: scope } };
	}
}

/** An address at which nothing listens. */
const NOWHERE = 'http://127.0.0.1:9';
/** Long enough for a busy machine; see `Surroundings`. */
const TIMEOUT_S = 3;

/** Runs scenarios in n8n's own engine, each with its own client of one service and its own credential. */
export class World implements AsyncDisposable {
	readonly #service: ScriptedService;

	readonly #nodeTypes: readonly [own: WatchedNodeTypes, routed: WatchedNodeTypes];

	readonly clients: Clients;

	#runs = 0;

	private constructor(
		service: ScriptedService,
		...nodeTypes: [WatchedNodeTypes, WatchedNodeTypes]
	) {
		this.#service = service;
		this.#nodeTypes = nodeTypes;
		this.clients = new Clients(service);
	}

	static async create(): Promise<World> {
		const nodeTypes = [await WatchedNodeTypes.load(), await WatchedNodeTypes.load(true)] as const;
		new N8nLog((line) => work.getStore()?.lines.push(line));
		return new World(await ScriptedService.start(), ...nodeTypes);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#service[Symbol.asyncDispose]();
	}

	/** Runs a scenario to its end. @returns both logs */
	async run(scenario: Scenario): Promise<Logs> {
		const [nodeTypes, routed] = this.#nodeTypes;
		const name = `w${String(++this.#runs).padStart(6, '0')}`;
		const token = `secret-of-${name}`;
		const [entries, runs, lines]: [Entry[], NodeRun[], string[]] = [[], [], []];
		const abort = new AbortController();
		const stop: { at?: number } = {};
		let [requests, lookUps] = [0, 0];
		const baseUrl = this.clients.add(name, {
			entries,
			next() {
				const answer = scenario.answers[requests++];
				if (requests === scenario.stopAt) {
					stop.at = clock();
					abort.abort();
				}
				return answer ?? { plan: SUCCEEDED, ms: 0 };
			},
			knowsUser: () => scenario.users[lookUps++] ?? true,
			isStopped: (scope) => runs.find((run) => run.scope === scope)?.stoppedAt !== undefined,
		});
		const { policy, isUnreachable } = scenario;
		const user = { accessToken: token, userId: 'DISCORD-1' };
		const data = { baseUrl: isUnreachable ? NOWHERE : baseUrl, ...user, ...policy };
		const credentials = new ScopedCredentials({ walletServiceApi: data as never }, nodeTypes);
		const hasNever = scenario.answers.some(({ plan }) => plan.fault === 'never');
		const jobs = scenario.jobs.map((job, index) => async () => {
			const executionId = `${name}x${index}`;
			// Without an execution there is nothing to stop.
			const isStopped = index === 0 && job.kind !== 'mcp' && job.kind !== 'built-in';
			const around = {
				nodeTypes: job.kind === 'workflow' && job.isRouted ? routed : nodeTypes,
				name,
				executionId,
				credentialId: scenario.hasId ? name : null,
				timeout: hasNever ? TIMEOUT_S : undefined,
				additionalData: () => ({ ...additionalDataFor(credentials), executionId }),
				work: { runs, lines, stop: isStopped ? stop : {} },
				stop: isStopped ? abort.signal : new AbortController().signal,
			};
			if (job.kind === 'workflow') await runWorkflow(job, around);
			else if (job.kind === 'agent 3') await runAgent(job, around);
			else await runTools(job, around);
		});
		if (scenario.isTogether) await Promise.all(jobs.map(async (job) => await job()));
		else for (const job of jobs) await job();
		await this.clients.remove(name);
		return { policy: scenario.policyMeans, token, isUnreachable, service: entries, runs, lines };
	}
}
