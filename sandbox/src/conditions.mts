import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What happens to a transaction after its hash was returned. */
export type Fate = 'mined' | 'reverted' | 'dropped' | 'replaced';

/** What a history contains. */
export interface HistorySettings {
	/** Maximum number of entries; the newest are listed. */
	limit: number;
	/** Number of newest blocks that are not listed yet. */
	lagBlocks: number;
	/** Minimum age of a listed block, in seconds. */
	lagSeconds: number;
}

/** Conditions that a test sets for one request. */
export interface Conditions {
	/** What happens to the transaction submitted by the request. */
	fate: Fate;
	/** Overrides parts of the history settings. */
	history: Partial<HistorySettings>;
}

const CONDITIONS = 'conditions';
const NONE: Conditions = { fate: 'mined', history: {} };
const current = new AsyncLocalStorage<Conditions>();

/** Enables requests to carry conditions. Must be called before hooks and routes are added. */
export function allowConditions(app: FastifyInstance): void {
	app.decorateRequest(CONDITIONS);
	app.addHook('preHandler', (request, _reply, done) => {
		const set = request.getDecorator<Conditions | undefined>(CONDITIONS);
		if (set) current.run(set, done);
		else done();
	});
}

export function setConditions(request: FastifyRequest, conditions: Conditions): void {
	request.setDecorator(CONDITIONS, conditions);
}

/** The conditions of the request that is being handled. */
export const conditions = (): Conditions => current.getStore() ?? NONE;
