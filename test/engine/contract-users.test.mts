/** User ids in place of addresses: looked up once in a run, shown in the item, and an unknown one stops the call. */
import type { INodeParameters } from 'n8n-workflow';
import { AbiCoder, ZeroAddress } from 'ethers';

import { runContract } from './support/contract-calls.mts';
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

const ECHO_ONE = 'echoAddress(address who) view returns (address)';
const UNKNOWN = 'DISCORD-nobody-has-this-id';

const run = async (operation: string, parameters: INodeParameters, items?: object[]) =>
	await runContract(engine, service, operation, { argumentsMode: 'json', ...parameters }, items);

const lookUps = async () =>
	(await service.faults.requests()).filter(({ method }) => method === 'GET');
const calls = async () =>
	(await service.faults.requests()).filter(({ method }) => method === 'POST');

test('a user id gives the address of the wallet, in a field and nested in JSON', async () => {
	const [first, second] = [service.user('Nelly'), service.user('Rahul Sen')];
	const { items } = await run('read', {
		abi: 'all(address a, (address[] list, bool open) entry) view returns (address a, (address[] list, bool open) entry)',
		argumentsMode: 'fields',
		arguments: {
			mappingMode: 'defineBelow',
			value: {
				'a (address)': first.id,
				'entry ((address[],bool))': JSON.stringify([[second.id, ZeroAddress, first.id], true]),
			},
		},
	});
	expect(items[0]?.json).toMatchObject({
		value: {
			a: first.address,
			entry: { list: [second.address, ZeroAddress, first.address], open: true },
		},
		resolvedAddresses: { [first.id]: first.address, [second.id]: second.address },
	});
});

test('items without user ids show no addresses', async () => {
	const { items } = await run('read', { abi: ECHO_ONE, args: JSON.stringify([ZeroAddress]) });
	expect(items[0]?.json).not.toHaveProperty('resolvedAddresses');
});

test.each(['read', 'write'])(
	'%s looks each id up once for all items of a run',
	async (operation) => {
		const ids = [service.user('Nelly').id, service.user('Rahul Sen').id];
		const items = Array.from({ length: 30 }, (_, index) => ({ id: ids[index % ids.length] }));
		const parameters = {
			abi: 'note(address)' + (operation === 'read' ? ' view returns (address)' : ''),
			args: '={{ [$json.id] }}',
		};
		const { items: output, error } = await run(operation, parameters, items);
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.resolvedAddresses)).toEqual(
			items.map(({ id }) => ({
				[String(id)]: service.user(id === ids[0] ? 'Nelly' : 'Rahul Sen').address,
			})),
		);
		expect(await lookUps()).toHaveLength(ids.length);
		// Reads that ask for the same are served by one answer.
		expect(await calls()).toHaveLength(operation === 'read' ? ids.length : items.length);
		await run(operation, parameters, items.slice(0, 1));
		expect(await lookUps()).toHaveLength(ids.length + 1);
	},
);

test('a write to a user id reaches their wallet', async () => {
	const { id, address } = service.user('Rahul Sen');
	const { items } = await run('write', { abi: 'note(address)', args: JSON.stringify([id]) });
	const transaction = await service.chain.getTransaction(String(items[0]?.json.hash));
	const encoded = AbiCoder.defaultAbiCoder().encode(['address'], [address]);
	expect(transaction?.data.slice(10)).toBe(encoded.slice(2));
});

test.each(['read', 'write'])(
	'an unknown user in %s is an error and nothing is sent',
	async (operation) => {
		const { error } = await run(operation, {
			abi: operation === 'read' ? ECHO_ONE : 'note(address who)',
			args: JSON.stringify([UNKNOWN]),
		});
		expect(error?.message).toBe(
			`who (address): No wallet address is known for the user "${UNKNOWN}"`,
		);
		expect(await calls()).toEqual([]);
	},
);

test('an unknown user fails its own item only when the run goes on', async () => {
	const { items } = await engine.run({
		parameters: {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'read',
			contractAddress: service.contracts.shapes,
			abi: ECHO_ONE,
			argumentsMode: 'json',
			args: '={{ [$json.id] }}',
		},
		credential: service.credential(),
		items: [{ id: UNKNOWN }, { id: service.user().id }, { id: UNKNOWN }],
		node: { onError: 'continueRegularOutput' },
	});
	expect(items.map(({ json }) => json.value ?? json.error)).toEqual([
		expect.stringContaining('No wallet address is known'),
		service.user().address,
		expect.stringContaining('No wallet address is known'),
	]);
	expect(await lookUps()).toHaveLength(2);
});

test('a look-up is tried again like any read, and its failure is not taken for an unknown user', async () => {
	const parameters = { abi: ECHO_ONE, args: JSON.stringify([service.user().id]) };
	const match = { method: 'GET' };
	await service.faults.add({ kind: 'drop-before', match, times: 1 });
	const { items } = await run('read', parameters);
	expect(items[0]?.json.value).toBe(service.user().address);
	await service.faults.add({ kind: 'status-text', match });
	const { error } = await run('read', { ...parameters, options: { maxTries: 1 } });
	expect(error?.message).toMatch(/^The service had an internal error/);
	expect(await calls()).toHaveLength(1);
});

test('an answer that is no profile is an error that says so', async () => {
	await service.faults.add({ kind: 'wrong-shape', match: { method: 'GET' } });
	const { error } = await run('write', {
		abi: 'note(address)',
		args: JSON.stringify([service.user().id]),
	});
	expect(error?.message).toMatch(/expected the user "DISCORD-/);
	expect(await calls()).toEqual([]);
});

test.each([
	['google-2', 'is not an address', 'Write GOOGLE-2; or give an address'],
	['Rahul', 'is not an address', 'Give the provider in upper case, a hyphen, and the id there'],
	['DISCORD-1, GOOGLE-2', 'is a list', 'Give one user per item'],
])('%s for an address is refused with what would be right', async (given, message, hint) => {
	for (const operation of ['read', 'write']) {
		const { error } = await run(operation, {
			functionSource: 'signature',
			abi: operation === 'read' ? ECHO_ONE : 'note(address)',
			args: JSON.stringify([given]),
		});
		expect(error?.message).toContain(message);
		expect(error?.description).toContain(hint);
	}
	expect(await service.faults.requests()).toEqual([]);
});
