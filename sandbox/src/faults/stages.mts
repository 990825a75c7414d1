import { CHAIN_KINDS, TRANSACTION_KINDS, type FaultKind } from './fault.mts';

/** A request at which faults are aimed. */
export interface Target {
	method: string;
	/** Path as it is on the wire, without the query. */
	path: string;
	/** Id of the user whose access token the request carries, when it is known. */
	caller?: string | undefined;
}

/** Faults of one stage exclude each other; those of different stages can hit the same request. */
interface Stage {
	kinds: readonly FaultKind[];
	/** The only requests that they can hit, whatever else the fault says. */
	method?: string;
	path?: RegExp;
}

const HISTORY = { method: 'GET', path: /^\/v1\/users\/[^/]+\/history$/ };

const CHAIN: Stage = { kinds: CHAIN_KINDS };
const TRANSACTION: Stage = {
	kinds: TRANSACTION_KINDS,
	method: 'POST',
	path: /^\/v1\/contracts\/method\/write$/,
};
const HISTORY_LAG: Stage = { kinds: ['history-lag'], ...HISTORY };
const HISTORY_WINDOW: Stage = { kinds: ['history-window'], ...HISTORY };
/** Everything else concerns the answer of any request. */
const ANSWER: Stage = { kinds: [] };

/** The stage of a request's way at which a fault of this kind takes effect. */
export function stageOf(kind: FaultKind): Stage {
	const stages = [CHAIN, TRANSACTION, HISTORY_LAG, HISTORY_WINDOW];
	return stages.find(({ kinds }) => kinds.includes(kind)) ?? ANSWER;
}

/** Whether a kind of fault is about the answer, and not about the chain behind it. */
export function isAboutAnswer(kind: FaultKind): boolean {
	return stageOf(kind) === ANSWER;
}

/** Whether a kind of fault works only on a development chain. */
export function needsDevelopmentChain(kind: FaultKind): boolean {
	return stageOf(kind) === CHAIN;
}

/** Whether faults of a stage can hit a request at all. */
export function concerns(stage: Stage, { method, path }: Target): boolean {
	if (stage.method !== undefined && stage.method !== method) return false;
	return stage.path === undefined || stage.path.test(path);
}
