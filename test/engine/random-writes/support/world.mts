import { setTimeout as delay } from 'node:timers/promises';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { additionalDataFor } from '../../support/engine.mts';
import { N8nLog } from '../../support/n8n-log.mts';
import type { Service } from '../../../support/sandbox/service.mts';
import type { ScriptedService } from '../../support/scripted-service.mts';
import { StoredCredentials } from '../../support/stored-credentials.mts';
import { ANSWERS } from './answers.mts';
import { Clients, SCOPE_HEADER } from './clients.mts';
import { isLogged } from './kept-checker.mts';
import type { Entry, Logs, Look, NodeRun } from './logs.mts';
import { clock } from './logs.mts';
import { ONE } from './jobs.mts';
import { runJob } from './run-jobs.mts';
import type { Scenario } from './scenarios.mts';
import type { Work } from './watched-nodes.mts';
import { Stop, WatchedNodeTypes, work } from './watched-nodes.mts';

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
/** Time limit for a service that does not answer: long enough for a busy machine. */
const TIMEOUT_S = 6;

/** Time limit for the requests after an execution was stopped. */
const BACKGROUND_MS = 40_000;

/** Users whose wallets can pay. */
const PAYERS = ['Nelly', 'Rahul Sen', 'mika_dev', 'StormRider', 'anna-k'] as const;
/** Code that takes any call. */
const TAKES_ALL = '0x00';

/** Waits until n8n's log names the writes of a stopped execution, for which the service is asked in the background. */
async function untilLogged(
	entries: readonly Entry[],
	runs: readonly NodeRun[],
	lines: readonly string[],
): Promise<void> {
	const isNamed = (one: Entry) => {
		const run = runs.find(({ scope }) => scope === one.scope);
		if (one.hash === undefined || run === undefined) return true;
		const items = [...run.asks.keys()].filter((item) => run.asks[item].tag === one.tag);
		return isLogged(one, run, items, lines);
	};
	const end = performance.now() + BACKGROUND_MS;
	while (!entries.every(isNamed) && performance.now() < end) await delay(50);
}

/**
 * Lets n8n's own engine run scenarios against a service, each with its own client and its own credential.
 *
 * @param kept the service that keeps the writes; the other one then stands between it and the node
 */
export async function createWorld(service: ScriptedService, kept?: Service) {
	const clients = new Clients(service);
	const [own, routedByN8n] = [await WatchedNodeTypes.load(), await WatchedNodeTypes.load(true)];
	new N8nLog((line) => work.getStore()?.lines.push(line));
	await kept?.chain.send('anvil_setCode', [ONE, TAKES_ALL]);
	let count = 0;

	/** Runs a scenario to its end. @returns both logs */
	async function run(scenario: Scenario): Promise<Logs> {
		const { answers, hasId, isUnreachable, policy, policyMeans, stopAt, users } = scenario;
		const name = `${kept ? 'k' : 'w'}${String(++count).padStart(6, '0')}`;
		const token = `secret-of-${name}`;
		const [entries, runs, lines]: [Entry[], NodeRun[], string[]] = [[], [], []];
		const looks: Look[] = [];
		const stop = new Stop();
		let [requests, lookUps] = [0, 0];
		clients.add(name, {
			entries,
			looks,
			open: 0,
			keeper: kept?.as(PAYERS[count % PAYERS.length] ?? PAYERS[0]),
			nextLook: () => answers[requests++] ?? { plan: ANSWERS.done[0] },
			next() {
				const answer = answers[requests++];
				if (requests === stopAt) {
					stop.at = clock();
					stop.abort();
				}
				return answer ?? { plan: ANSWERS.done[0], ms: 0 };
			},
			knowsUser: () => users[lookUps++] ?? true,
			isStopped: (scope) => runs.find((one) => one.scope === scope)?.stoppedAt !== undefined,
		});
		const baseUrl = isUnreachable ? NOWHERE : `${service.baseUrl}/${name}`;
		const data = { baseUrl, accessToken: token, userId: 'DISCORD-1', ...policy };
		const credentials = new ScopedCredentials(data as never, own);
		const isSlow = answers.some(({ plan }) => plan.answer === 'hold');
		const jobs = scenario.jobs.map((job, index) => async () => {
			const nodeTypes = job.kind === 'workflow' && job.isRouted ? routedByN8n : own;
			const executionId = `${name}x${index}`;
			// Without an execution there is nothing to stop.
			const isStopped = index === 0 && job.kind !== 'mcp' && job.kind !== 'built-in';
			const around: Work = {
				job,
				runs,
				lines,
				nodeTypes,
				name,
				executionId,
				stop: isStopped ? stop : new Stop(),
				credentialId: hasId ? name : null,
				timeout: isSlow ? TIMEOUT_S : undefined,
				additionalData: () => ({ ...additionalDataFor(credentials), executionId }),
			};
			await work.run(around, async () => await runJob(job, around));
		});
		if (scenario.isTogether) await Promise.all(jobs.map(async (job) => await job()));
		else for (const job of jobs) await job();
		await clients.untilQuiet(name);
		if (kept && stop.at !== undefined) await untilLogged(entries, runs, lines);
		clients.remove(name);
		return {
			policy: policyMeans,
			token,
			isUnreachable,
			service: entries,
			looks: kept && looks,
			runs,
			lines,
		};
	}

	return { clients, run };
}
