import type { IPollFunctions } from 'n8n-workflow';

import { historyOf, PollHistory } from '../../../nodes/WalletService/trigger/poll-history.ts';

const contextOf = (name: string): IPollFunctions =>
	({ getWorkflow: () => ({ id: 'W' }), getNode: () => ({ name }) }) as unknown as IPollFunctions;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a state that is about to be replaced is outdated, the one that replaces it is not', () => {
	const history = historyOf(contextOf('one'));
	history.noteGiven(5);
	expect(historyOf(contextOf('one'))).toBe(history);
	expect([4, 5, 6].map((revision) => history.isOutdated(revision))).toEqual([true, false, false]);
	expect(historyOf(contextOf('another')).isOutdated(4)).toBe(false);
});

test('what n8n has not saved after a while it has dropped', () => {
	const history = new PollHistory();
	history.noteGiven(5);
	jest.advanceTimersByTime(29_999);
	expect(history.isOutdated(4)).toBe(true);
	jest.advanceTimersByTime(1);
	expect(history.isOutdated(4)).toBe(false);
});
