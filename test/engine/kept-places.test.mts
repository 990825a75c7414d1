/** Attempts and orders at a service that keeps writes: whatever an expression gives, nothing is paid twice. */
import { useResources } from '../support/resources.mts';
import { forgetAll } from './support/forget.mts';
import { HASH, KeptWrites } from './support/kept-writes.mts';
import { OAuthAccount } from './support/oauth-account.mts';
import { RETRY } from './support/use-node.mts';

const resources = useResources();
const kept = new KeptWrites();
const { node } = kept;

afterEach(() => jest.restoreAllMocks());

const LATE = { afterWork: true };

/** Lets one PUT be carried out without an answer, and its fence fail. */
async function leaveUnknown(): Promise<void> {
	await kept.fault('PUT', { kind: 'status-text', params: { status: 500, ...LATE }, times: 1 });
	await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
}

/** An Order ID that is another one for each attempt. */
const changing = () => `={{ "${kept.number}-" + $now.toMillis() + Math.random() }}`;

describe('Retry on Fail', () => {
	test.each(['answered', 'answered at the second request'])(
		'with an order that changes does not pay again what was paid: %s',
		async (how) => {
			if (how !== 'answered') await kept.fault('PUT', { kind: 'drop-after', times: 1 });
			const refused = { status: 400, body: '{"status":"FAILED","error":"no"}' };
			await kept.fault('PUT', { kind: 'status-text', skip: 1, times: 1, params: refused });
			const [count, output] = await kept.transactionsOf(
				async () =>
					await node.items(kept.pay('={{ $json.amount }}', { orderId: changing() }), {
						items: [{ amount: '1.25' }, { amount: '1.75' }],
						node: RETRY,
					}),
			);
			expect(count).toBe(2);
			expect(output.map(({ replayed }) => replayed)).toEqual([true, undefined]);
		},
	);

	test('with an order that changes decides what may have been paid, under the first one', async () => {
		await leaveUnknown();
		const given = kept.pay('1.5', { orderId: changing(), maxTries: 1 });
		const [count, items] = await kept.transactionsOf(
			async () => await node.items(given, { node: RETRY }),
		);
		expect(count).toBe(1);
		expect(items).toMatchObject([{ submitted: true, replayed: true, hash: HASH }]);
		const requests = await node.service.faults.requests();
		const paths = requests.map(({ path }) => path).filter((path) => path.includes('/writes/'));
		expect(new Set(paths).size).toBe(1);
	});

	test('does not send what an equal write of unknown outcome has sent', async () => {
		await leaveUnknown();
		const once = kept.write({ maxTries: 1 });
		const [count, { error }] = await kept.transactionsOf(async () => {
			await node.run(once);
			return await node.run(once, { node: RETRY });
		});
		expect(count).toBe(1);
		expect(error?.context.details).toMatchObject({ code: 'not-sent-again', hashes: [HASH] });
	});

	test('of an execution does not ask another service what became of a write', async () => {
		await leaveUnknown();
		const given = kept.write({ maxTries: 1 });
		const { baseUrl = '', ...other } = node.service.credential();
		const credential = { ...other, baseUrl: baseUrl.replace('127.0.0.1', 'localhost') };
		const first = await node.run(given);
		const { error } = await node.run(given, { credential, retryOf: first.run });
		expect(error?.context.details).toMatchObject({ outcome: 'unknown', code: 'not-sent' });
		expect(await kept.methods()).toEqual(['PUT', 'DELETE']);
	});

	test.each(['of the execution', 'by another execution'])(
		'%s: a write of unknown outcome is not decided as another user, who has signed in since',
		async (who) => {
			const account = await OAuthAccount.connect(node.service);
			await resources.use(account.door);
			await leaveUnknown();
			const given = kept.write({ maxTries: 1 }, { authentication: 'oAuth2' });
			const settings = { credential: account.credential, node: account.node };
			const { run } = await node.run(given, settings);
			await account.reconnect(node.service, 'Rahul Sen');
			const retryOf = who === 'of the execution' ? run : undefined;
			const { error } = await node.run(given, { ...settings, ...(retryOf && { retryOf }) });
			const code = retryOf ? 'not-sent' : 'not-sent-again';
			expect(error?.context.details).toMatchObject({ outcome: 'unknown', code });
			const changing = (await kept.methods()).filter((method) => method !== 'GET');
			expect(changing).toEqual(['PUT', 'DELETE']);
		},
	);

	test.each([
		['at once', async () => undefined],
		[
			'after n8n was started again',
			async () => {
				forgetAll();
				// What is too old goes with the next write.
				await node.run(kept.write({}, { args: `["${kept.number}999"]` }));
			},
		],
	])('as another user, %s, pays nothing from the second wallet', async (_when, restart) => {
		const { chain } = node.service;
		const rahul = node.service.user('Rahul Sen');
		const ofRahul = async () => await chain.getTransactionCount(rahul.address);
		const before = await ofRahul();
		await kept.fault('PUT', { kind: 'failed', skip: 1, times: 1 });
		const given = kept.write({}, { args: `={{ [String(${kept.number}000 + $itemIndex)] }}` });
		const { run: retryOf } = await node.run(given, { items: [{}, {}] });
		const credential = node.service.credential('Rahul Sen');
		await restart();
		const { error } = await node.run(given, { retryOf, credential });
		expect(error?.context.details).toMatchObject({ outcome: 'unknown', code: 'not-sent' });
		expect(error?.message).toContain('has paid from another account');
		expect(await ofRahul()).toBe(before);
	});

	test('of an execution binds no account by what it has decided', async () => {
		await kept.fault('PUT', { kind: 'drop-before', times: 1 });
		await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
		const pay = { abi: 'pay() payable', args: '[]' };
		const given = kept.write({ nativeCoin: '={{ $vars.wei }} wei', maxTries: 1 }, pay);
		const first = await node.run(given, { variables: { wei: 9 } });
		expect(first.error?.context.details).toMatchObject({ outcome: 'unknown' });
		await kept.fault('PUT', { kind: 'failed', times: 1 });
		const variables = { wei: 8 };
		const second = await node.run(given, { retryOf: first.run, variables });
		expect(second.error?.context.details).toMatchObject({ outcome: 'refused' });
		const credential = node.service.credential('Rahul Sen');
		const third = await node.run(given, { retryOf: second.run, credential, variables });
		expect(third.error?.message).toBeUndefined();
		expect(third.items).toMatchObject([{ json: { submitted: true } }]);
	});

	test('of an execution of another process is not reported as unpaid if the service cannot be asked', async () => {
		const given = kept.pay('1.5', { maxTries: 1 });
		const { usd } = node.service.contracts;
		const credential = { ...node.service.credential(), amountLimits: `1 ${usd}` };
		const { run: retryOf } = await node.run(given, { credential });
		retryOf.data.resumeToken = 'of another process';
		await node.service.faults.add({
			kind: 'drop-before',
			times: 1,
			match: { path: '/v1/attempts' },
		});
		const outcomes = [
			await node.run(given, { credential, retryOf }),
			await node.run(given, { credential, retryOf }),
		].map(({ error }) => error?.context.details);
		expect(outcomes).toMatchObject([
			{ outcome: 'unknown', code: 'not-sent-again' },
			{ outcome: 'refused', code: 'policy-refused' },
		]);
	});
});

test('an execution pays, although one before a backup of n8n was restored had its ID and paid the same', async () => {
	const settings = { executionId: `restored ${kept.number}` };
	const [count, items] = await kept.transactionsOf(async () => [
		...(await node.items(kept.pay('1.5', {}), settings)),
		...(await node.items(kept.pay('1.5', {}), settings)),
	]);
	expect(count).toBe(2);
	for (const item of items) expect(item).not.toHaveProperty('replayed');
});
