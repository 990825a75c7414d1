import { isOutdated, noteGiven } from '../../../nodes/WalletService/trigger/given-states.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a state that is about to be replaced is outdated, the one that replaces it is not', () => {
	noteGiven('one', 5);
	expect([4, 5, 6].map((revision) => isOutdated('one', revision))).toEqual([true, false, false]);
	expect(isOutdated('another', 4)).toBe(false);
});

test('what n8n has not saved after a while it has dropped', () => {
	noteGiven('one', 5);
	jest.advanceTimersByTime(29_999);
	expect(isOutdated('one', 4)).toBe(true);
	jest.advanceTimersByTime(1);
	expect(isOutdated('one', 4)).toBe(false);
});
