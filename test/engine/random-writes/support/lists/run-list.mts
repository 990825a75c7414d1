import type { IHttpRequestOptions, IRunExecutionData, WorkflowExecuteMode } from 'n8n-workflow';

import { additionalDataFor } from '../../../support/engine.mts';
import { continueExecution, retried } from '../../../support/execution.mts';
import type { LoadedNodeTypes } from '../../../support/node-types.mts';
import { StoredCredentials } from '../../../support/stored-credentials.mts';
import type { ListLogs, Row, Session } from './logs.mts';
import { isLike, STEP } from './logs.mts';
import { Passages } from './passages.mts';
import type { Road } from './road.mts';
import { SESSION_HEADER } from './road.mts';
import type { Attempt, Crash, ListPlan } from './scenarios.mts';
import type { ListUser } from './workflow.mts';
import {
	countRuns,
	dataOf,
	keptHashes,
	listWorkflow,
	readsList,
	recovered,
	runsFrom,
} from './workflow.mts';

/** Where a list is run. */
export interface Place {
	readonly name: string;
	readonly baseUrl: string;
	/** Address of the token that is paid. */
	readonly token: string;
	/** The users, in order. */
	readonly users: readonly ListUser[];
	readonly isKept: boolean;
	readonly road: Road;
	readonly processes: readonly LoadedNodeTypes[];
}

/** Credentials whose requests identify their session. */
class OfSession extends StoredCredentials {
	readonly #session: number;

	constructor(session: number, ...given: ConstructorParameters<typeof StoredCredentials>) {
		super(...given);
		this.#session = session;
	}

	override async authenticate(
		...given: Parameters<StoredCredentials['authenticate']>
	): Promise<IHttpRequestOptions> {
		const request = await super.authenticate(...given);
		return { ...request, headers: { ...request.headers, [SESSION_HEADER]: this.#session } };
	}
}

/** The credential: its limits, and whose it is. */
function credentialOf({ limits, users: count }: ListPlan, { baseUrl, token, users }: Place) {
	const { perCall, perExecution, ofToken } = limits;
	return {
		baseUrl,
		allowWrites: true,
		accessToken: users[0]?.accessToken,
		userId: users[0]?.id,
		...(count > 1 && { accessToken: '={{ $json.accessToken }}', userId: '={{ $json.userId }}' }),
		...(perCall !== undefined && { maxValuePerCall: `${perCall} wei` }),
		...(perExecution !== undefined && { maxValuePerExecution: `${perExecution} wei` }),
		...(ofToken !== undefined && { amountLimits: `${ofToken} ${token}` }),
	};
}

/** How a session was left, with what n8n has of it. */
interface Left {
	readonly data: IRunExecutionData;
	readonly status: 'crashed' | 'waiting' | 'failed' | 'done';
}

/** How a session begins. */
interface Begin {
	readonly data: IRunExecutionData;
	readonly mode: WorkflowExecuteMode;
	readonly process: number;
	readonly execution: number;
	readonly crash?: Crash | undefined;
	readonly isRivalled?: boolean;
}

/** A list with its executions, their crashes and Retries. */
class ListRunner {
	readonly passages: Passages;

	readonly sessions: Session[] = [];

	readonly all: Row[];

	readonly #plan: ListPlan;

	readonly #place: Place;

	#rows: readonly Row[];

	#hasMoved = false;

	#processes = 0;

	#count = 0;

	constructor(plan: ListPlan, place: Place) {
		this.#plan = plan;
		this.#place = place;
		this.#rows = plan.rows;
		this.all = [...plan.rows];
		this.passages = new Passages(
			plan.fates,
			place.users.map(({ accessToken }) => accessToken),
		);
	}

	/** A process that knows nothing of the list. */
	#fresh(): number {
		this.#processes += 1;
		return this.#processes - 1;
	}

	/** Lets n8n run an execution in a process until it ends, waits or dies. */
	async #run({ data, mode, process, execution, crash, isRivalled = false }: Begin): Promise<Left> {
		const { name, token, processes } = this.#place;
		const nodeTypes = processes[process];
		if (nodeTypes === undefined) throw new Error('There are not enough processes');
		const index = this.#count++;
		const hasMoved = this.#hasMoved;
		const given = { ...listWorkflow(this.#plan, token, name), nodeTypes };
		const credentials = new OfSession(index, credentialOf(this.#plan, this.#place), nodeTypes);
		const variables = { step: this.#plan.isChanging ? index * STEP : 0 };
		const additionalData = { ...additionalDataFor(credentials, `${name}x${index}`), variables };
		const [first, kept] = [countRuns(data), keptHashes(data)];
		let saved = structuredClone(data);
		additionalData.hooks?.addHandler('nodeExecuteAfter', (_node, _task, whole) => {
			if (crash?.isSaved) saved = structuredClone(whole);
		});
		const died = this.passages.expect(index, crash);
		const { running } = continueExecution(given, additionalData, mode, data);
		const run = await Promise.race([running, died]);
		const isCrashed = run === undefined;
		const session = { index, process, execution, isCrashed, isRivalled, hasMoved, kept };
		const runs = isCrashed ? [] : runsFrom(run.data, first);
		this.sessions.push({ ...session, isRetry: mode === 'retry', runs });
		if (isCrashed) return { data: saved, status: 'crashed' };
		const { resultData } = run.data;
		const status = resultData.error ? 'failed' : run.waitTill ? 'waiting' : 'done';
		return { data: structuredClone(run.data), status };
	}

	/** The same, with its waits. */
	async #runAll(begin: Begin, isElsewhere: boolean): Promise<Left & { readonly process: number }> {
		let { process } = begin;
		let left = await this.#run(begin);
		while (left.status === 'waiting') {
			if (process === begin.process && isElsewhere) process = this.#fresh();
			left = await this.#run({ ...begin, process, data: left.data });
		}
		return { ...left, process };
	}

	/** Lets the list change, if n8n reads it again. */
	#change(data: IRunExecutionData, change: Crash['change']): void {
		if (!readsList(data)) return;
		const { all } = this;
		const [first] = all;
		const paid = this.passages.sendings.flatMap(({ hash, payment }) =>
			hash && payment ? payment : [],
		);
		if (change === 'reversed') this.#rows = this.#rows.toReversed();
		if (change === 'paid rows left out')
			this.#rows = this.#rows.filter((row) => {
				const found = paid.findIndex((one) => isLike(one, row));
				if (found >= 0) paid.splice(found, 1);
				return found < 0;
			});
		if (change === 'row added' && first) {
			const order = first.order === undefined ? {} : { order: 1 + all.length };
			const row = { ...first, id: all.length, ...order };
			all.push(row);
			this.#rows = [row, ...this.#rows];
		}
		this.#hasMoved ||= change !== undefined;
		data.resultData.pinData = dataOf(this.#rows, this.#place.users).resultData.pinData;
	}

	/** An execution, and its Retries. */
	async #runExecution(execution: number, attempts: readonly Attempt[]): Promise<void> {
		let data = dataOf(this.#rows, this.#place.users);
		let mode: WorkflowExecuteMode = 'trigger';
		let process = this.#fresh();
		for (const { crash, isElsewhere, isRivalled } of attempts) {
			const begin = { data, mode, process, execution, crash };
			const isRival = isRivalled && mode === 'retry';
			const rival = isRival && { ...begin, data: structuredClone(data), process: this.#fresh() };
			const [left] = await Promise.all([
				this.#runAll({ ...begin, isRivalled: isRival }, isElsewhere),
				rival && this.#runAll({ ...rival, crash: undefined, isRivalled: true }, false),
			]);
			await this.passages.deliverAll();
			if (left.status === 'done') return;
			const isCrash = left.status === 'crashed';
			data = isCrash ? recovered(left.data, crash?.invented) : retried(left);
			if (isCrash) this.#change(data, crash?.change);
			process = isCrash || isElsewhere ? this.#fresh() : left.process;
			mode = 'retry';
		}
	}

	async run(): Promise<void> {
		const { attempts, hasTwin } = this.#plan;
		const [first] = attempts;
		const twin = hasTwin && first ? [{ ...first, crash: undefined }] : [];
		await Promise.all([this.#runExecution(0, attempts), this.#runExecution(1, twin)]);
	}
}

/** Runs a list to its end. @returns what the service carried out, and what n8n reported */
export async function runList(plan: ListPlan, place: Place): Promise<ListLogs> {
	const runner = new ListRunner(plan, place);
	const { passages, sessions, all: rows } = runner;
	place.road.add(place.name, passages);
	await runner.run();
	passages.end();
	const { limits, isChanging, stops, tries } = plan;
	const isRepeated = tries > 1;
	const { sendings } = passages;
	return { limits, isKept: place.isKept, isChanging, isRepeated, stops, rows, sendings, sessions };
}
