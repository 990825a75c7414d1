/** A preview shows the exact request of a contract call and sends nothing. */
import { Interface } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import { useService } from '../support/sandbox/service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode(useService());

const preview = { preview: true };

async function run(more: object, policy: Record<string, string> = {}) {
	const parameters: IDataObject = {
		...{ resource: 'contract', operation: 'write', functionSource: 'signature' },
		...{ contractAddress: node.service.contracts.shapes, argumentsMode: 'json', ...more },
	};
	return await node.run(parameters, { credential: { ...node.service.credential(), ...policy } });
}
const requests = async () => await node.service.faults.requests();

const pay = { abi: 'pay() payable', args: '[]', options: { nativeCoin: '100 wei' } };

test('a write is shown as it would be sent, and the service accepts it', async () => {
	const signature = 'function f(address who, uint256[] amounts) returns (bool)';
	const { service } = node;
	const { id, address } = service.user();
	const { shapes } = service.contracts;
	const args = JSON.stringify({ who: id, amounts: ['1 gwei', '2'] });
	const { items, error } = await run({ abi: signature, args, ...preview });
	expect(error).toBeUndefined();
	const encoded = new Interface([signature]).encodeFunctionData('f', [address, [1000000000n, 2n]]);
	const { url, body, ...rest } = items[0]?.json ?? {};
	expect(items[0]?.pairedItem).toEqual({ item: 0 });
	expect(url).toBe(`${service.ready.baseUrl}/v1/contracts/method/write`);
	expect(body).toEqual({
		address: shapes,
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
	expect((await requests()).map(({ method }) => method)).toEqual(['GET']);
	const { data } = await service.as('Nelly').post<unknown>(String(url), body);
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
	expect(await requests()).toEqual([]);
	const { items: sent } = await run(pay, policy);
	expect(sent[0]?.json).toMatchObject({ submitted: true });
	expect(sent[0]?.json).not.toHaveProperty('replayed');
});

test.each([
	['a refused value', { ...pay, options: { nativeCoin: '1.5 wei' } }, {}, 'invalid-input'],
	['what the policy forbids', pay, { maxValuePerCall: '99 wei' }, 'policy-refused'],
	['an argument too many', { ...pay, args: '["1"]' }, {}, 'invalid-input'],
])('%s is an error in a preview as well', async (_name, parameters, policy, code) => {
	const { error } = await run({ ...parameters, ...preview }, policy);
	expect(error).toMatchObject({ context: { details: { code } } });
	expect(await requests()).toEqual([]);
});
