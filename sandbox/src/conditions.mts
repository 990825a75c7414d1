import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HistorySettings } from './settings.mts';
import type { Fate } from './wallets/fate.mts';

/** What a test wants to be different while one request is worked on. */
export interface Conditions {
	/** What becomes of the transaction that the request submits. */
	fate: Fate;
	/** In place of the settings. */
	history: Partial<HistorySettings>;
}

const CONDITIONS = 'conditions';

/** Lets requests have conditions. Call it before hooks and routes are added. */
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
