import { rateLimitOf } from '../../../../nodes/WalletService/request/http/rate-limit.ts';

test.each([
	['"default";r=50;t=30', { remaining: 50, resetMs: 30_000 }],
	['"default";t=30;r=50', { remaining: 50, resetMs: 30_000 }],
	['"a";r=0;t=1', { remaining: 0, resetMs: 1000 }],
	['"a"; r=7; t=2; pk=:cHNrYXJn:', { remaining: 7, resetMs: 2000 }],
	['"second";r=9;t=1, "minute";r=3;t=40', { remaining: 3, resetMs: 40_000 }],
	['"minute";r=3;t=40, "second";r=9;t=1', { remaining: 3, resetMs: 40_000 }],
	['"a;r=1;t=1, b";r=8;t=5', { remaining: 8, resetMs: 5000 }],
	['"a \\" ;r=1";r=8;t=5', { remaining: 8, resetMs: 5000 }],
	['"minute";r=3;t=120', { remaining: 3, resetMs: 120_000 }],
])('%s is understood', (ratelimit, limit) => {
	expect(rateLimitOf({ ratelimit })).toEqual(limit);
});

test.each([
	undefined,
	'',
	'default',
	'"default";r=50',
	'"default";t=50',
	'"default";r=-1;t=50',
	'"default";r=1.5;t=50',
	'"default";r=many;t=50',
	'"default";rr=1;tt=50',
	'limit=10, remaining=1, reset=7',
	'"day";r=0;t=86400',
	['"default";r=1;t=1'],
])('%p says nothing that is waited for', (ratelimit) => {
	expect(rateLimitOf({ ratelimit })).toBeUndefined();
});

test('of two limits, one over too long a time is left to the service', () => {
	expect(rateLimitOf({ ratelimit: '"day";r=1;t=9999, "second";r=5;t=1' })).toEqual({
		remaining: 5,
		resetMs: 1000,
	});
});
