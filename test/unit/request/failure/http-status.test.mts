/** Errors of a failed request: title and hint, and how n8n shows them. */
import { NodeOperationError } from 'n8n-workflow';

import { connectionFailure } from '../../../../nodes/WalletService/request/failure/connection.ts';
import {
	failedStatus,
	withFittingHint,
} from '../../../../nodes/WalletService/request/failure/http-status.ts';
import { toNodeError } from '../../../../nodes/WalletService/request/failure/node-error.ts';
import { ServiceError } from '../../../../nodes/WalletService/request/failure/service-error.ts';
import { resources } from '../../../../nodes/WalletService/resources/index.ts';
import { complete } from '../../../../nodes/WalletService/resources/operation.ts';
import { triggerParameters } from '../../../../nodes/WalletService/trigger/parameters.ts';
import { InvalidInputError } from '../../../../nodes/WalletService/values/invalid-input.ts';
import { itemOf } from '../../support/item.mts';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const USER = { url: '/v1/users/CHESS-anna%2Fk' };
const BALANCE = { url: `/v1/users/DISCORD-1/balance/${TOKEN}` };
const CALL = {
	url: '/v1/contracts/method/read',
	body: JSON.stringify({ address: TOKEN, abi: 'totalSupply() view returns (uint256)', args: [] }),
};

test.each([
	[404, 'There is no user DISCORD-1.', 'There is no user DISCORD-1'],
	[400, 'args[0] is not a\n uint256', 'args[0] is not a uint256'],
	[403, 'You may not\tread this', 'You may not read this'],
	[409, 'Nonce too low', 'Nonce too low'],
	// A word, a code or empty text is not a sentence.
	[404, '', 'The service did not find the requested data'],
	[404, 'Not Found', 'The service did not find the requested data'],
	[400, '{}', 'The service did not accept the request'],
	[400, 'no', 'The service did not accept the request: no'],
	[400, '{"code": 17}', 'The service did not accept the request: {"code": 17}'],
	// For these statuses, the service's words alone do not suffice.
	[401, 'Signed out now', 'The access token was rejected: it is wrong or has expired'],
	[500, 'Internal Server Error', 'The service had an internal error'],
	[503, 'Down for an hour', 'The service had an internal error: Down for an hour'],
	[429, 'Slow down please', 'The service received too many requests: Slow down please'],
])('the title of %i with %j', (status, text, title) => {
	const { details } = failedStatus(status, text);
	expect(details.message).toBe(title);
	expect(details.httpStatus).toBe(status);
	expect(details.serviceText).toBe(text === '' ? undefined : text.replace(/\s+/g, ' '));
});

const REFUSED = { code: 'ECONNREFUSED', syscall: 'connect' };
const [NO_TLS, OLD_TLS] = ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'];

test.each<[string, string, object]>([
	['unreachable', 'ECONNREFUSED', { code: 'ERR_BAD_REQUEST', cause: REFUSED }],
	['connection-lost', 'ERR_ODD', { code: 'ERR_ODD', cause: { code: 'ERR_OTHER' } }],
	['bad-certificate', NO_TLS, { code: NO_TLS }],
	['bad-certificate', OLD_TLS, { code: OLD_TLS }],
])('the code %s, for the first known cause %s of %j', (code, connectionCode, error) => {
	expect(connectionFailure(error).details).toMatchObject({ code, connectionCode });
});

test.each([
	[401, 'no', USER, /^Open the credential of this node, enter a new access token/],
	[404, 'There is no user CHESS-anna/k', USER, /^Check the user ID: /],
	[404, 'Unknown user', USER, /^Check the parameters, and the base URL/],
	[404, 'There is nothing at GET /v1/users/CHESS-anna%2Fk', USER, /^Check the base URL/],
	[404, 'There is no user DISCORD-1', BALANCE, /^Check the user ID: /],
	[404, `There is no token at ${TOKEN.toLowerCase()}`, BALANCE, /^Check the token's address: /],
	[400, `${TOKEN} is unknown`, CALL, /^Check the contract address: /],
	[400, `${TOKEN} has no totalSupply()`, CALL, /^Check the function and its arguments: /],
	[400, 'too early', CALL, /^Check the parameters of this item/],
	[422, 'too early', CALL, /^Check the parameters of this item/],
	[422, `${TOKEN} is unknown`, CALL, /^Check the contract address: /],
	[409, 'Nonce too low', CALL, /^Check the parameters of this item$/],
	[402, 'Payment Required', CALL, /^Check that the base URL/],
	[403, 'Not for DISCORD-1', BALANCE, /^Use a credential of the right user/],
])('the hint of %i with %j', (status, text, asked, hint) => {
	expect(withFittingHint(failedStatus(status, text), asked).details.hint).toMatch(hint);
});

const node = itemOf().context.getNode();
const operations = complete(resources).flatMap((resource) => resource.operations);
const parameters = [...operations.flatMap((one) => one.parameters), ...triggerParameters];

test.each([
	['abi', 'Function Signature'],
	['minimumAmount', 'Minimum Amount'],
	[['options', 'sendAgain'], 'Options: Send Again'],
	[['options', 'waitUntil', 'until', 'condition'], 'Options: Wait Until: Condition'],
	[['options', 'unknown'], 'Options: unknown'],
	[['Credential', 'Allow Writes'], 'Credential: Allow Writes'],
	// The suffix that n8n's linter requires for a dynamic list is removed.
	['contractFunction', 'Function'],
	// An argument keeps its own name.
	['recipients[2].amount', 'recipients[2].amount'],
])('%j is called %s', (parameter, name) => {
	const refused = new InvalidInputError({ parameter, message: 'It is too long', hint: '' });
	const error = toNodeError(refused, { node, parameters });
	expect(error.message).toBe(`${name}: It is too long`);
	expect(error.context.details).toMatchObject({ parameter: name });
});

test.each([
	[{ code: 'service-error' }, { cause: 'temporarily-unavailable' }],
	[{ code: 'unauthorized' }, { cause: 'credential-invalid' }],
	[{ code: 'not-found' }, undefined],
	[{ code: 'timeout', state: 'unknown' }, undefined],
] as const)('%j is this failure for n8n: %j', (details, failure) => {
	const error = new ServiceError({ message: 'It failed', hint: '', ...details });
	expect(toNodeError(error, { node, parameters }).failure).toEqual(failure);
});

test.each([
	new InvalidInputError({ parameter: 'abi', message: 'It is too long', hint: 'Shorten it' }),
	new ServiceError({ message: 'It failed', hint: 'Ask the operator', code: 'service-error' }),
	new ServiceError({ message: 'No', hint: 'Wait', code: 'service-error', serviceText: 'Too busy' }),
])('the message of a tool contains its description, which n8n would add: %s', (failure) => {
	const { message, description } = toNodeError(failure, {
		node,
		parameters,
		itemIndex: 0,
		isTool: true,
		submitted: ['Submitted before: 0x12'],
	});
	expect(description).toMatch(
		/^(Shorten it|Ask the operator|Wait\. The service reported: Too busy)\n/,
	);
	expect(message.endsWith(`. ${description}`)).toBe(true);
});

test("n8n's own error does not hide earlier submissions", () => {
	const submitted = ['Submitted before, item 0: 0x12'];
	for (const description of [undefined, 'Choose one']) {
		const own = new NodeOperationError(node, 'Node has no credential', { description });
		const error = toNodeError(own, { node, parameters, submitted, isWriting: true });
		expect(error.message).toBe('Node has no credential');
		const lines = [...(description ? [description] : []), ...submitted];
		expect(error.description?.split('<br>\n')).toEqual(lines);
	}
});
