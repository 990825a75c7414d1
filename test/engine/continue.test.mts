/** Failed items beside good ones: "Continue" and the error output. */
import { storeCall } from './support/contract-calls.mts';
import { CONTINUE, useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const node = useNode(useService());

const parameters = { resource: 'user', operation: 'get', userId: '={{ $json.id }}' };
const items = () =>
	[node.service.user().id, 'DISCORD-404', 'not a user ID', node.service.user('Rahul Sen').id].map(
		(id) => ({ id }),
	);

const CHECK_USER = 'Check the user ID: it looks like DISCORD-100200300400500600';

const expectedErrors = [
	{
		error: 'There is no user DISCORD-404',
		message: `${CHECK_USER}. Item 1`,
		details: {
			...{ code: 'not-found', itemIndex: 1, httpStatus: 404, hint: CHECK_USER },
			...{ serviceText: 'There is no user DISCORD-404', userId: 'DISCORD-404' },
			endpoint: 'GET /v1/users/DISCORD-404',
		},
	},
	{
		error: expect.stringMatching(/^User ID: "not a user ID"/),
		message: expect.stringMatching(/\w\. Item 2$/),
		details: {
			...{ code: 'invalid-input', itemIndex: 2, parameter: 'User ID' },
			...{ hint: expect.stringMatching(/\w/), endpoint: 'GET /v1/users/:userId' },
		},
	},
];

test('Continue gives one item per failed input, in its place', async () => {
	const given = items();
	const result = await node.run(parameters, {
		items: given,
		node: CONTINUE,
	});
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
		given.map((_one, item) => ({ item })),
	);
	const [first, , , last] = given;
	expect(result.items.map(({ json }) => json)).toEqual([
		...[expect.objectContaining(first), ...expectedErrors, expect.objectContaining(last)],
	]);
});

test('the error output gets the failed items, with their input', async () => {
	const given = items();
	const result = await node.run(parameters, {
		items: given,
		node: { onError: 'continueErrorOutput' },
	});
	expect(result.items.map(({ json }) => json.id)).toEqual([given[0]?.id, given[3]?.id]);
	// n8n before 2.36 recognizes an error by two fields and gets no details (see test/versions).
	expect(result.errorItems.map(({ json }) => json)).toEqual(
		expectedErrors.map((error, index) => ({ ...given[index + 1], ...error })),
	);
});

test('a failed write is an item as well, and the next one is sent', async () => {
	const fields = { abi: '={{ $json.abi }}', args: '={{ $json.args }}' };
	const result = await node.run(storeCall(node.service.contracts.shapes, fields), {
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
		message: expect.stringMatching(/\. Item 1$/),
	});
});
