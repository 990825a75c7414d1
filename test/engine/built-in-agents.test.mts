/** Calls of n8n's built-in agents, which have neither an execution nor a workflow, and each create a node with a new ID. */
import type { IDataObject } from 'n8n-workflow';

import { storeCall } from './support/contract-calls.mts';
import type { Caller } from './support/ephemeral-calls.mts';
import { EphemeralCalls } from './support/ephemeral-calls.mts';
import { useService } from '../support/sandbox/service.mts';

const service = useService();
let calls: EphemeralCalls;
beforeAll(async () => {
	calls = await EphemeralCalls.create();
});
afterEach(async () => await service().faults.reset());

const sent = async () => await service().chain.getTransactionCount(service().user().address);
const loseNext = async () => await service().faults.add({ kind: 'drop-after', times: 1 });

const UNKNOWN = /may have been sent|unknown/i;
const BLOCKED = /Not sent again.*Resend When Unknown/s;
const SUBMITTED = { submitted: true };

// n8n takes the plain name where it finds no tool under the longer one.
describe.each(['walletServiceTool', 'walletService'])('as %s', (name) => {
	async function call(changes: IDataObject, given: IDataObject, credential = {}, caller?: Caller) {
		const parameters = storeCall(service().contracts.shapes, changes);
		const type = `n8n-nodes-wallet-service.${name}`;
		const data = { ...service().credential(), ...credential };
		const [item] = await calls.call(type, parameters, data, given, caller);
		return item?.json;
	}

	const store = async (number: string, caller?: Caller, resendWhenUnknown = false) =>
		await call(
			{ args: '={{ [$json.number] }}', options: { resendWhenUnknown } },
			{ number },
			{},
			caller,
		);

	const pay = async (wei: string) =>
		await call(
			{
				...{ abi: 'pay() payable returns (uint256)', args: '[]' },
				options: { nativeCoin: '={{ $json.wei }} wei' },
			},
			{ wei },
			{ maxValuePerExecution: '3 wei' },
		);

	test('equal writes that were answered are as many transactions', async () => {
		const before = await sent();
		const done = [await store('7'), await store('7')];
		expect(done).toMatchObject([SUBMITTED, SUBMITTED]);
		expect(done[0]?.hash).not.toBe(done[1]?.hash);
		expect(done.filter((item) => item?.replayed === true)).toEqual([]);
		expect(await sent()).toBe(before + 2);
	});

	test('a write of unknown outcome is blocked when it is requested again, another one is not', async () => {
		const before = await sent();
		await loseNext();
		await expect(store('100')).rejects.toThrow(UNKNOWN);
		await expect(store('100')).rejects.toThrow(BLOCKED);
		expect(await store('1000')).toMatchObject(SUBMITTED);
		expect(await sent()).toBe(before + 2);
	});

	test('it is blocked for every node and workflow, and not for another credential', async () => {
		await loseNext();
		await expect(store('200')).rejects.toThrow(UNKNOWN);
		for (const caller of [{ node: 'Other' }, { workflowId: 'other' }]) {
			await expect(store('200', caller)).rejects.toThrow(BLOCKED);
		}
		expect(await store('200', { credentialId: name })).toMatchObject(SUBMITTED);
		await expect(store('200')).rejects.toThrow(BLOCKED);
	});

	test('with Resend When Unknown it is sent again, and once that is answered nothing blocks it', async () => {
		const before = await sent();
		await loseNext();
		await expect(store('300')).rejects.toThrow(UNKNOWN);
		await expect(store('300')).rejects.toThrow(BLOCKED);
		expect(await store('300', {}, true)).toMatchObject(SUBMITTED);
		expect(await store('300')).toMatchObject(SUBMITTED);
		expect(await sent()).toBe(before + 3);
	});

	test('calls at once go out one at a time', async () => {
		const before = await sent();
		await service().faults.add({ kind: 'latency', times: 3, params: { ms: 100 } });
		const done = await Promise.all([store('8'), store('8'), store('9')]);
		expect(new Set(done.map((item) => item?.hash)).size).toBe(3);
		expect(await sent()).toBe(before + 3);
		expect(await service().faults.mostInFlight()).toBe(1);
	});

	test('the limit of an execution applies to each call', async () => {
		const before = await sent();
		expect([await pay('2'), await pay('2')]).toMatchObject([SUBMITTED, SUBMITTED]);
		await expect(pay('4')).rejects.toThrow('rule "Max Native Coin per Execution"');
		expect(await sent()).toBe(before + 2);
	});
});
