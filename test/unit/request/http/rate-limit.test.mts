import { rateLimitsOf } from '../../../../nodes/WalletService/request/http/rate-limit.ts';

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
	expect(rateLimitsOf({ ratelimit })).toEqual({ limit, policies: [] });
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
	expect(rateLimitsOf({ ratelimit })).toEqual({ limit: undefined, policies: [] });
});

test('of two limits, one over too long a time is left to the service', () => {
	const ratelimit = '"day";r=1;t=9999, "second";r=5;t=1';
	expect(rateLimitsOf({ ratelimit }).limit).toEqual({ remaining: 5, resetMs: 1000 });
});

test.each([
	['"default";q=100;w=60', [{ requests: 100, windowMs: 60_000 }]],
	['"default";w=60;q=100;qu="requests"', [{ requests: 100, windowMs: 60_000 }]],
	[
		'"burst";q=10;w=1, "minute";q=100;w=60;pk=:cHNrYXJn:',
		[
			{ requests: 10, windowMs: 1000 },
			{ requests: 100, windowMs: 60_000 },
		],
	],
	['"burst";q=10;w=1, "day";q=1000;w=86400', [{ requests: 10, windowMs: 1000 }]],
	['"size";q=65535;w=60;qu="content-bytes", "burst";q=10;w=1', [{ requests: 10, windowMs: 1000 }]],
	['"crowd";q=10;w=1;qu="concurrent-requests"', []],
	['"default";q=100', []],
	['"default";q=0;w=60', []],
	['"default";q=many;w=60', []],
	['100;w=60', []],
	['q=100, w=60', []],
	['"default";q=100;w=60,', []],
	[undefined, []],
])('the policies of %p', (policy, policies) => {
	expect(rateLimitsOf({ 'ratelimit-policy': policy })).toEqual({ limit: undefined, policies });
});

test('a limit without a time has that of its policy', () => {
	const headers = { 'ratelimit-policy': '"hour";q=9;w=3600, "minute";q=100;w=60' };
	expect(rateLimitsOf({ ...headers, ratelimit: '"minute";r=3' }).limit).toEqual({
		remaining: 3,
		resetMs: 60_000,
	});
	for (const ratelimit of ['"hour";r=3', '"second";r=3', '"minute";r=3;t=9999']) {
		expect(rateLimitsOf({ ...headers, ratelimit }).limit).toBeUndefined();
	}
});
