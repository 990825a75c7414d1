import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HistorySettings } from '../../service/src/chain/history-settings.mts';

/** What happens to a transaction after its hash was returned. */
export type Fate = 'mined' | 'reverted' | 'dropped' | 'replaced';

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
