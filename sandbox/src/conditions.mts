import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HistorySettings } from './settings.mts';
import type { Fate } from './wallets/fate.mts';

/** Conditions that a test sets for one request. */
export interface Conditions {
	/** What happens to the transaction submitted by the request. */
	fate: Fate;
	/** Overrides parts of the history settings. */
	history: Partial<HistorySettings>;
}

const CONDITIONS = 'conditions';

/** Enables requests to carry conditions. Must be called before hooks and routes are added. */
export function allowConditions(app: FastifyInstance): void {
	app.decorateRequest(CONDITIONS);
}

export function setConditions(request: FastifyRequest, conditions: Conditions): void {
	request.setDecorator(CONDITIONS, conditions);
}

export function conditionsOf(request: FastifyRequest): Conditions {
	const conditions = request.getDecorator<Conditions | undefined>(CONDITIONS);
	return conditions ?? { fate: 'mined', history: {} };
}
