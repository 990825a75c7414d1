/** Errors of n8n: the parameter's name in the form, and n8n's own reason. */
import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../../../../nodes/WalletService/request/failure/node-error.ts';
import { ServiceError } from '../../../../nodes/WalletService/request/failure/service-error.ts';
import { resources } from '../../../../nodes/WalletService/resources/index.ts';
import { complete } from '../../../../nodes/WalletService/resources/operation.ts';
import { triggerParameters } from '../../../../nodes/WalletService/trigger/parameters.ts';
import { InvalidInputError } from '../../../../nodes/WalletService/values/invalid-input.ts';

const node: INode = {
	id: '1',
	name: 'Wallet Service',
	type: 'walletService',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const parameters = [
	...resources
		.map(complete)
		.flatMap(({ operations }) => operations.flatMap((one) => one.parameters)),
	...triggerParameters,
];

test.each([
	['abi', 'Function Signature'],
	['minimumAmount', 'Minimum Amount'],
	// n8n removes the words that its linter requires for a dynamic list.
	['contractFunction', 'Function'],
	// An argument keeps its own name.
	['recipients[2].amount', 'recipients[2].amount'],
])('%s is called %s', (parameter, name) => {
	const refused = new InvalidInputError({ parameter, message: 'It is too long', hint: '' });
	const error = toNodeError(refused, { node, parameters });
	expect(error.message).toBe(`${name}: It is too long`);
	expect(error.context.details).toMatchObject({ parameter: name });
});

test.each([
	[
		{ code: 'rate-limited', retryAfterMs: 3000 },
		{ cause: 'rate-limited', retryAfterMs: 3000 },
	],
	[{ code: 'service-error' }, { cause: 'temporarily-unavailable' }],
	[{ code: 'unauthorized' }, { cause: 'credential-invalid' }],
	[{ code: 'not-found' }, undefined],
	[{ code: 'timeout', outcome: 'unknown' }, undefined],
] as const)('n8n is told of %j why it failed: %j', (details, failure) => {
	const error = new ServiceError({ message: 'It failed', hint: '', ...details });
	expect(toNodeError(error, { node, parameters }).failure).toEqual(failure);
});

test("n8n's own error does not hide what was submitted before it", () => {
	const submitted = ['Submitted before, item 0: 0x12'];
	for (const description of [undefined, 'Choose one']) {
		const own = new NodeOperationError(node, 'Node has no credential', { description });
		const error = toNodeError(own, { node, parameters, submitted, isWriting: true });
		expect(error.message).toBe('Node has no credential');
		expect(error.description?.split('\n')).toEqual([
			...(description ? [description] : []),
			...submitted,
		]);
	}
});
