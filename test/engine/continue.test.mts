/** Failed items beside good ones: "Continue" and the error output. */
import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});

const items = () => [
	{ id: service.user('Nelly').id },
	{ id: 'DISCORD-404' },
	{ id: 'not a user id' },
	{ id: service.user('Rahul Sen').id },
];

const parameters = { resource: 'user', operation: 'get', userId: '={{ $json.id }}' };

const CHECK_USER =
	'Check the user ID: the provider in upper case, a hyphen, and the ID there, as in DISCORD-100200300400500600';

const expectedErrors = [
	{
		error: 'There is no user DISCORD-404',
		message: `${CHECK_USER}. Item 1`,
		details: {
			code: 'not-found',
			itemIndex: 1,
			httpStatus: 404,
			hint: CHECK_USER,
			serviceText: 'There is no user DISCORD-404',
			userId: 'DISCORD-404',
			endpoint: 'GET /v1/users/DISCORD-404',
		},
	},
	{
		error: expect.stringContaining('"not a user id" is not a user id'),
		message: expect.stringMatching(/hyphen.*\. Item 2$/),
		details: {
			code: 'invalid-input',
			itemIndex: 2,
			parameter: 'User ID',
			hint: expect.any(String),
			endpoint: 'GET /v1/users/:userId',
		},
	},
];

test('Continue gives one item per failed input, in its place', async () => {
	const result = await engine.run({
		parameters,
		credential: service.credential(),
		items: items(),
		node: { onError: 'continueRegularOutput' },
	});
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2, 3].map((item) => ({ item })),
	);
	expect(result.items.map(({ json }) => json.id)).toEqual([
		service.user('Nelly').id,
		undefined,
		undefined,
		service.user('Rahul Sen').id,
	]);
	expect(result.items.slice(1, 3).map(({ json }) => json)).toEqual(expectedErrors);
});

test('the error output gets the failed items, with their input', async () => {
	const result = await engine.run({
		parameters,
		credential: service.credential(),
		items: items(),
		node: { onError: 'continueErrorOutput' },
	});
	expect(result.items.map(({ json }) => json.id)).toEqual([
		service.user('Nelly').id,
		service.user('Rahul Sen').id,
	]);
	// n8n before 2.36, which knows an error by two fields alone, gets no details (see test/versions).
	expect(result.errorItems.map(({ json }) => json)).toEqual([
		{
			id: 'DISCORD-404',
			details: expect.objectContaining({ code: 'not-found', itemIndex: 1, httpStatus: 404 }),
			error: 'There is no user DISCORD-404',
			message: `${CHECK_USER}. Item 1`,
		},
		{
			id: 'not a user id',
			details: expect.objectContaining({ code: 'invalid-input', itemIndex: 2 }),
			error: expect.stringContaining('"not a user id" is not a user id'),
			message: expect.stringContaining('hyphen'),
		},
	]);
});

test('a failed write is an item as well, and the next one is sent', async () => {
	const result = await engine.run({
		parameters: {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'write',
			contractAddress: service.contracts.shapes,
			abi: '={{ $json.abi }}',
			argumentsMode: 'json',
			args: '={{ $json.args }}',
		},
		credential: service.credential(),
		items: [
			{ abi: 'store(uint256)', args: ['1'] },
			{ abi: 'failWithReason(string)', args: ['no more tickets'] },
			{ abi: 'store(uint256)', args: ['2'] },
		],
		node: { onError: 'continueErrorOutput' },
	});
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	expect(result.errorItems[0]?.json).toMatchObject({
		error: expect.stringContaining('no more tickets'),
		message: 'Check the values of this item. Item 1',
	});
});
