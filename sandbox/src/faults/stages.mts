import { CHAIN_KINDS, TOKEN_KINDS, TRANSACTION_KINDS, type FaultKind } from './fault.mts';

/** A request that faults may match. */
export interface Target {
	method: string;
	/** Path as sent, without the query. */
	path: string;
	/** ID of the user of the access token, if known. */
	caller?: string | undefined;
}

/** Faults of one stage exclude each other; faults of different stages can hit the same request. */
interface Stage {
	kinds: readonly FaultKind[];
	/** Requests outside these limits are never hit, even if a fault matches them. */
	method?: RegExp;
	path?: RegExp;
}

const HISTORY = { method: /^GET$/, path: /^\/v1\/users\/[^/]+\/history$/ };

const TOKEN: Stage = { kinds: TOKEN_KINDS };
const CHAIN: Stage = { kinds: CHAIN_KINDS };
const TRANSACTION: Stage = {
	kinds: TRANSACTION_KINDS,
	method: /^(POST|PUT)$/,
	path: /^\/v1\/(contracts\/method\/write$|writes\/)/,
};
const HISTORY_LAG: Stage = { kinds: ['history-lag'], ...HISTORY };
const HISTORY_WINDOW: Stage = { kinds: ['history-window'], ...HISTORY };
/** All other kinds concern the answer to any request. */
const ANSWER: Stage = { kinds: [] };

/** The stage at which a fault of this kind takes effect. */
export function stageOf(kind: FaultKind): Stage {
	const stages = [TOKEN, CHAIN, TRANSACTION, HISTORY_LAG, HISTORY_WINDOW];
	return stages.find(({ kinds }) => kinds.includes(kind)) ?? ANSWER;
}

/** Whether a kind of fault concerns the answer, not the token or the chain behind it. */
export function isAboutAnswer(kind: FaultKind): boolean {
	return stageOf(kind) === ANSWER;
}

/** Whether faults of a stage can hit a request at all. */
export function concerns(stage: Stage, { method, path }: Target): boolean {
	if (stage.method !== undefined && !stage.method.test(method)) return false;
	return stage.path === undefined || stage.path.test(path);
}
