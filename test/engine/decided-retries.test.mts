/** What a Retry has decided of an item: its further tries and its errors keep to it. */
import type { IDataObject } from 'n8n-workflow';

import { settle } from '../../nodes/WalletService/values/settle.ts';
import { done, failed, hashOf, json, LOST } from './support/answers.mts';
import { forgetAll } from './support/forget.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { BOB } from './support/scripted-world.mts';
import { CONTINUE, RETRY, useNode } from './support/use-node.mts';

const node = useNode();

afterEach(() => jest.restoreAllMocks());

const send = (changes: IDataObject = {}) =>
	sendOf({
		amount: '={{ $json.amount }}',
		recipient: BOB.id,
		options: { maxTries: 1 },
		...changes,
	});
const rows = (...amounts: string[]) => amounts.map((amount) => ({ amount }));

/** Lets this time pass. */
function later(minutes: number): void {
	const uptime = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => uptime() + minutes * 60_000);
}

test('what may have been sent is sent by no try, also when its call is no longer blocked', async () => {
	node.service.answer(LOST);
	const { run: retryOf } = await node.run(send(), { items: rows('1', '2'), node: RETRY });
	later(61);
	const { error } = await node.run(send(), { retryOf });
	expect(error?.context.details).toMatchObject({ code: 'not-sent-again', outcome: 'unknown' });
	expect(node.service.writes.map(({ args }) => args[1])).toEqual(['1000000', '2000000']);
});

test('a row that is sent again all the same tells a new process nothing about the others', async () => {
	const options = { maxTries: 1, sendAgain: '={{ $json.amount === "2" }}' };
	node.service.answer(done(1), failed(), done(9), done(2));
	const { run: retryOf } = await node.run(send({ options }), { items: rows('1', '2', '3') });
	const [task] = retryOf.data.executionData?.nodeExecutionStack ?? [];
	Object.assign(task?.node ?? {}, CONTINUE);
	forgetAll();
	// With the next write, the process forgets what it has sent two days before.
	await node.items(send(), { items: rows('9') });
	const { items } = await node.run(send({ options }), { retryOf });
	const told = items.map((item) => item.json.hash ?? Object(item.json.details).code);
	expect(told).toEqual(['not-sent', hashOf(2), 'not-sent']);
	expect(node.service.writes).toHaveLength(4);
});

/** A service that keeps writes, but lists none. While it fails, it answers nothing about what it has sent. */
function keepsOnly(): { readonly paid: Map<string, unknown>; fails: boolean } {
	const state = { paid: new Map<string, unknown>(), fails: false };
	node.service.description = { writes: { put: true, fence: true } };
	node.service.script = ({ method, path }) => {
		if (!path.startsWith('/v1/writes/')) return undefined;
		const known = state.paid.get(path);
		if (known === undefined && method === 'PUT')
			state.paid.set(path, { status: 'SUCCESS', hash: hashOf(state.paid.size + 1) });
		if (state.fails) return LOST;
		if (known === undefined && method === 'GET') return json({}, 404);
		return json(state.paid.get(path) ?? { status: 'VOID' });
	};
	return state;
}

const settings = { items: rows('1'), node: RETRY };

test('where a service keeps writes, it decides what may have been sent', async () => {
	const state = keepsOnly();
	state.fails = true;
	const { run: retryOf } = await node.run(send(), settings);
	state.fails = false;
	const { error, items } = await node.run(send(), { retryOf });
	expect(error).toBeUndefined();
	expect(state.paid.size).toBe(1);
	expect(items).toMatchObject([{ json: { hash: hashOf(1), replayed: true } }]);
});

test.each([
	['the same node answers the next one', 'Pay', 1],
	['another node leaves the next one a new write', 'Pay others', 2],
])(
	'what the second call of a tool finds out about a write of %s',
	async (_who, first, payments) => {
		const state = keepsOnly();
		const call = async (name: string) =>
			await settle(node.tool(send({ amount: '1' }), {}, { node: name }));
		state.fails = true;
		const calls = [await call(first)];
		state.fails = false;
		calls.push(await call('Pay'), await call('Pay'));
		expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
		expect(state.paid.size).toBe(payments);
	},
);

test('no Retry lifts the block of what is not decided', async () => {
	const state = keepsOnly();
	state.fails = true;
	const { run: retryOf } = await node.run(send(), { items: rows('1') });
	await node.run(send(), { retryOf });
	await node.run(send(), { items: rows('1') });
	expect(state.paid.size).toBe(1);
});

test('an item that cannot be read names no payment that has answered another one', async () => {
	node.service.answer(done(7), failed());
	const { run: retryOf } = await node.run(send(), { items: rows('1', '2') });
	const [task] = retryOf.data.executionData?.nodeExecutionStack ?? [];
	Object.assign(task?.node ?? {}, CONTINUE);
	const moved = rows('x', '1').map((json) => ({ json }));
	task?.data.main.splice(0, 1, moved);
	const { items } = await node.run(send(), { retryOf });
	expect(items[1]?.json).toMatchObject({ hash: hashOf(7), replayed: true });
	expect(items[0]?.json.details).toMatchObject({ outcome: 'refused' });
	expect(JSON.stringify(items[0])).not.toContain(hashOf(7));
});

describe('with another token', () => {
	const withToken = (accessToken: string) => ({
		credential: node.service.credential({ accessToken }),
	});

	test('a Retry sends what the first execution was refused for its own one', async () => {
		node.service.answer({ status: 401, body: '{"error":"token expired"}' });
		const { run: retryOf } = await node.run(send(), { items: rows('1'), ...withToken('old') });
		const [item] = await node.items(send(), { retryOf, ...withToken('new') });
		expect(item).toMatchObject({ submitted: true, hash: hashOf(2) });
		expect(item).not.toHaveProperty('replayed');
	});

	test('a Retry sends nothing if the first one has paid', async () => {
		node.service.answer(done(1), failed());
		const { run: retryOf } = await node.run(send(), { items: rows('1', '2'), ...withToken('old') });
		const { error } = await node.run(send(), { retryOf, ...withToken('new') });
		expect(error?.context.details).toMatchObject({ outcome: 'unknown', code: 'not-sent' });
		expect(node.service.writes).toHaveLength(2);
	});

	test.each([
		['of the same user is the same account', 'GITHUB-1', 2],
		['of another user is another account', 'GITHUB-2', 1],
	])('%s, where the service says whose it is', async (_which, user, payments) => {
		const state = keepsOnly();
		const describeAs = (id: string) => {
			node.service.description = { writes: { put: true, fence: true }, user: { id } };
		};
		describeAs('GITHUB-1');
		const { script } = node.service;
		node.service.script = (request) =>
			request.method === 'PUT' && state.paid.size === 1
				? json({ status: 'FAILED' })
				: script(request);
		const old = withToken(`old-${user}`);
		const { run: retryOf } = await node.run(send(), { items: rows('1', '2'), ...old });
		node.service.script = script;
		describeAs(user);
		await node.run(send(), { retryOf, ...withToken(`new-${user}`) });
		expect(state.paid.size).toBe(payments);
	});
});
