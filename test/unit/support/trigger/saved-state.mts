import type { IDataObject } from 'n8n-workflow';

import type { Observation, PollStep } from '../../../../nodes/WalletService/trigger/observation.ts';
import { advanceWallets } from '../../../../nodes/WalletService/trigger/observation.ts';
import type { WalletStates } from '../../../../nodes/WalletService/trigger/state.ts';
import { readState, writeState } from '../../../../nodes/WalletService/trigger/state.ts';

const WATCHED = 'watched';

/**
 * The trigger's state in n8n. The result of a poll is kept in memory; it is saved if the poll is the first after a start
 * or returns items, or if the trigger requests it. A restart returns to the saved state. The durable scheduler returns to
 * it before each poll, and saves nothing at a start, except at the very first one.
 */
export function savedState(isDurable: boolean) {
	let memory: WalletStates = new Map();
	let disk = '{}';
	let isFirst = true;
	const load = () => void (memory = readState(JSON.parse(disk), WATCHED));
	return {
		poll(observations: ReadonlyMap<string, Observation>, userIds: readonly string[]): PollStep {
			if (isDurable) load();
			const step = advanceWallets(memory, observations, userIds);
			memory = step.after;
			if (isFirst || step.items.length > 0 || step.mustBeSaved) {
				disk = JSON.stringify(writeState(step.after, WATCHED, 1));
			}
			isFirst = false;
			return step;
		},
		restart(): void {
			load();
			isFirst = !isDurable;
		},
	};
}

/** An event instead of an answer: the request failed, or n8n restarted. */
export type Interruption = 'failed' | 'restart';

/** The data of the items that a trigger returns for these answers. */
export function itemsFor<T>(
	given: readonly (T | Interruption)[],
	isDurable: boolean,
	advanceBy: (answer: T) => Observation['advance'],
): IDataObject[] {
	const saved = savedState(isDurable);
	return given.flatMap((one) => {
		if (one === 'restart') saved.restart();
		if (one === 'restart') return [];
		const observations = new Map<string, Observation>();
		if (one !== 'failed') {
			const advance = advanceBy(one as T);
			observations.set(WATCHED, { advance, sample: () => undefined });
		}
		return saved.poll(observations, [WATCHED]).items.map(({ json }) => json);
	});
}
