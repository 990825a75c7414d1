/** A preview shows the exact request of a contract call and sends nothing. */
import type { INodeParameters } from 'n8n-workflow';
import axios from 'axios';
import { Interface } from 'ethers';

import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

const preview = { preview: true };

async function run(parameters: INodeParameters, policy: Record<string, string | boolean> = {}) {
	return await engine.run({
		parameters: {
			resource: 'contract',
			functionSource: 'signature',
			contractAddress: service.contracts.shapes,
			argumentsMode: 'json',
			...parameters,
		},
		credential: { ...service.credential(), ...policy },
	});
}

const pay = {
	operation: 'write',
	abi: 'pay() payable',
	args: '[]',
	options: { nativeCoin: '100 wei' },
};

test('a write is shown as it would be sent, and is what the service takes', async () => {
	const signature = 'function f(address who, uint256[] amounts) returns (bool)';
	const { id, address, accessToken } = service.user();
	const { shapes } = service.contracts;
	const args = JSON.stringify({ who: id, amounts: ['1 gwei', '2'] });
	const { items, error } = await run({ operation: 'write', abi: signature, args, ...preview });
	expect(error).toBeUndefined();
	const encoded = new Interface([signature]).encodeFunctionData('f', [address, [1000000000n, 2n]]);
	const { url, body, ...rest } = items[0]?.json ?? {};
	expect(items[0]?.pairedItem).toEqual({ item: 0 });
	expect(url).toBe(`${service.ready.baseUrl}/v1/contracts/method/write`);
	expect(body).toEqual({
		address: service.contracts.shapes,
		abi: 'f(address,uint256[]) public returns (bool)',
		args: [address, '["1000000000","2"]'],
	});
	expect(rest).toEqual({
		summary: `Would submit: f(…) of ${shapes.slice(0, 6)}…${shapes.slice(-4)}. Nothing was sent.`,
		submitted: false,
		method: 'POST',
		function: 'f(address,uint256[])',
		selector: encoded.slice(0, 10),
		calldata: encoded,
		resolvedAddresses: { [id]: address },
	});
	expect((await service.faults.requests()).map(({ method }) => method)).toEqual(['GET']);
	const headers = { Authorization: `Bearer ${accessToken}` };
	const { data } = await axios.post<unknown>(String(url), body, { headers });
	expect(data).toMatchObject({ status: 'SUCCESS', hash: expect.any(String) });
});

test('a write is shown with its value and spends nothing', async () => {
	const policy = { maxValuePerExecution: '150 wei' };
	const { items } = await run({ ...pay, ...preview }, policy);
	expect(items[0]?.json).toMatchObject({
		submitted: false,
		method: 'POST',
		body: { abi: 'pay() public payable', args: [], value: '100' },
		calldata: '0x1b9265b8',
	});
	expect(await service.faults.requests()).toEqual([]);
	const { items: sent } = await run(pay, policy);
	expect(sent[0]?.json).toMatchObject({ submitted: true });
	expect(sent[0]?.json).not.toHaveProperty('replayed');
});

test.each([
	['a refused value', { ...pay, options: { nativeCoin: '1.5 wei' } }, {}, /1 decimal place$/],
	[
		'what the policy forbids',
		pay,
		{ maxValuePerCall: '99 wei' },
		/Refused by the spending limits .*"Max Native Coin per Call"/,
	],
	['an argument too many', { ...pay, args: '["1"]' }, {}, /takes 0, but 1 given/],
])('%s is an error in a preview as well', async (_name, parameters, policy, message) => {
	const { error } = await run({ ...parameters, ...preview }, policy);
	expect(error?.message).toMatch(message);
	expect(await service.faults.requests()).toEqual([]);
});
