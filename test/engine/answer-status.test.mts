/** A `status` in an answer is the one of a call only where calls are answered. */
import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import type { INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { Poller } from './support/poller.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

const user = { resource: 'user', operation: 'get' };
const balance = { resource: 'balance', operation: 'native' };

const readCall = (abi: string, args: unknown[]) => ({
	resource: 'contract',
	functionSource: 'signature',
	operation: 'read',
	contractAddress: service.contracts.shapes,
	abi,
	argumentsMode: 'json',
	args: JSON.stringify(args),
});

const run = async (parameters: INodeParameters) =>
	await engine.run({ parameters, credential: service.credential() });

const status = (value: unknown, rest: object = {}): FaultRequest => ({
	kind: 'wrong-shape',
	params: { body: JSON.stringify({ ...rest, status: value }) },
});
const profile = () => ({ ...service.user(), accessToken: undefined });
const entry = {
	balance: '5',
	formatted: '5',
	decimals: 0,
	symbol: 'ETH',
	name: 'Ether',
	tokenAddress: null,
	network: 'sandbox',
	chainId: 1,
};

test.each(['active', 'SUCCESSFUL', 'FAILED', '', 0, null, false, { is: 'FAILED' }])(
	'%j belongs to the user',
	async (value) => {
		await service.faults.add(status(value, profile()));
		const simple = await run(user);
		expect(simple.error).toBeUndefined();
		expect(simple.items[0]?.json).toMatchObject({ address: service.user().address });
		const { items } = await run({ ...user, simplify: false });
		expect(items[0]?.json).toMatchObject({ status: value, id: service.user().id });
	},
);

test.each(['active', ['FAILED'], 'NOT FAILED'])('%j is no failure beside a text', async (value) => {
	await service.faults.add(status(value, { ...profile(), error: 'none so far' }));
	const { items } = await run({ ...user, simplify: false });
	expect(items[0]?.json).toMatchObject({ status: value, error: 'none so far' });
});

test('a status of a user is no obstacle to a user ID in a call, nor to the trigger', async () => {
	const { id, address } = service.user();
	await service.faults.add({ ...status('active', profile()), match: { method: 'GET' } });
	const { items } = await run(readCall('echoAddress(address) view returns (address)', [id]));
	expect(items[0]?.json.value).toBe(address);
	const trigger = new Poller(await LoadedNodeTypes.load(), {
		parameters: { event: 'newTransfer', userIds: id, options: { maxTries: 1 } },
		credential: service.credential(),
	});
	await service.faults.reset();
	await service.faults.add({ ...status('active', profile()), match: { path: `/v1/users/${id}` } });
	await trigger.poll();
	expect(JSON.stringify(trigger.staticData)).toContain(address.toLowerCase());
});

test('status can be the symbol of a coin', async () => {
	await service.faults.add(status({ ...entry, symbol: 'status' }));
	const { items } = await run(balance);
	expect(items[0]?.json).toMatchObject({ symbol: 'status', baseUnits: '5' });
});

test.each(['FAILED', 'failed', 'Failed'])('%s with a text says that it failed', async (value) => {
	for (const parameters of [user, balance, { ...user, simplify: false }]) {
		await service.faults.add({ ...status(value, { error: 'No such thing' }), times: 1 });
		expect((await run(parameters)).error?.message).toContain('No such thing');
	}
});

test.each(['active', 'PENDING', 'FAILED', 'failed', 0, null])(
	'%j of a read is a failure, with or without words',
	async (value) => {
		await service.faults.add(status(value, { response: '1' }));
		const { error, items } = await run(readCall('f()', []));
		expect(error?.message).toContain(`status ${JSON.stringify(value)}`);
		expect(items).toEqual([]);
	},
);
