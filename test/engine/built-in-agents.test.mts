/** Calls of n8n's built-in agents, which have neither an execution nor a workflow, and a node of a new id each. */
import type { Caller } from './support/ephemeral-calls.mts';
import { EphemeralCalls } from './support/ephemeral-calls.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let calls: EphemeralCalls;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[calls, service] = await Promise.all([EphemeralCalls.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

const sent = async () => await service.chain.getTransactionCount(service.user().address);

// n8n takes the plain name where it finds no tool under the longer one.
describe.each(['walletServiceTool', 'walletService'])('as %s', (name) => {
	const type = `n8n-nodes-wallet-service.${name}`;

	const store = async (number: string, caller: Caller = {}, resendWhenUnknown = false) => {
		const parameters = {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'write',
			argumentsMode: 'json',
			contractAddress: service.contracts.shapes,
			abi: 'store(uint256)',
			args: '={{ [$json.number] }}',
			options: { resendWhenUnknown },
		};
		const [item] = await calls.call(type, parameters, service.credential(), { number }, caller);
		return item?.json;
	};

	const pay = async (wei: string) => {
		const parameters = {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'write',
			argumentsMode: 'json',
			contractAddress: service.contracts.shapes,
			abi: 'pay() payable returns (uint256)',
			args: '[]',
			options: { nativeCoin: '={{ $json.wei }} wei' },
		};
		const credential = { ...service.credential(), maxValuePerExecution: '3 wei' };
		const [item] = await calls.call(type, parameters, credential, { wei });
		return item?.json;
	};

	test('equal writes that were answered are as many transactions', async () => {
		const before = await sent();
		const done = [await store('7'), await store('7')];
		expect(done).toMatchObject([{ submitted: true }, { submitted: true }]);
		expect(done[0]?.hash).not.toBe(done[1]?.hash);
		expect(done.filter((item) => item?.replayed === true)).toEqual([]);
		expect(await sent()).toBe(before + 2);
	});

	test('a write of unknown outcome is refused when it is asked for again, another one is not', async () => {
		// A number for each name: they may share what is known.
		const number = String(100 + name.length);
		const before = await sent();
		await service.faults.add({ kind: 'drop-after', times: 1 });
		await expect(store(number)).rejects.toThrow(/may have been sent|unknown/i);
		await expect(store(number)).rejects.toThrow(/Not sent again.*Resend When Unknown/s);
		expect(await store(`${number}0`)).toMatchObject({ submitted: true });
		expect(await sent()).toBe(before + 2);
	});

	test('it is refused to every node and workflow, and not to another credential', async () => {
		const number = `2${name.length}`;
		await service.faults.add({ kind: 'drop-after', times: 1 });
		await expect(store(number)).rejects.toThrow(/may have been sent|unknown/i);
		for (const caller of [{ node: 'Other' }, { workflowId: 'other' }]) {
			await expect(store(number, caller)).rejects.toThrow(/Not sent again/);
		}
		expect(await store(number, { credentialId: '2' })).toMatchObject({ submitted: true });
		await expect(store(number)).rejects.toThrow(/Not sent again/);
	});

	test('with Resend When Unknown it is sent again, and once that is answered nothing bars it', async () => {
		const number = String(300 + name.length);
		const before = await sent();
		await service.faults.add({ kind: 'drop-after', times: 1 });
		await expect(store(number)).rejects.toThrow(/may have been sent|unknown/i);
		await expect(store(number)).rejects.toThrow(/Not sent again/);
		expect(await store(number, {}, true)).toMatchObject({ submitted: true });
		expect(await store(number)).toMatchObject({ submitted: true });
		expect(await sent()).toBe(before + 3);
	});

	test('calls at once go out one at a time', async () => {
		const before = await sent();
		await service.faults.add({ kind: 'latency', times: 3, params: { ms: 100 } });
		const done = await Promise.all([store('8'), store('8'), store('9')]);
		expect(new Set(done.map((item) => item?.hash)).size).toBe(3);
		expect(await sent()).toBe(before + 3);
		expect(await service.faults.mostInFlight()).toBe(1);
	});

	test('the limit of an execution holds for each call', async () => {
		const before = await sent();
		expect([await pay('2'), await pay('2')]).toMatchObject([
			{ submitted: true },
			{ submitted: true },
		]);
		await expect(pay('4')).rejects.toThrow('rule "Max Native Coin per Execution"');
		expect(await sent()).toBe(before + 2);
	});
});
