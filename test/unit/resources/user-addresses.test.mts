/** What a call is told when its user cannot be looked up. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { CallFailure } from '../../../nodes/WalletService/request/call-failure.ts';
import { NodeRun } from '../../../nodes/WalletService/request/node-run.ts';
import { resolveUsers } from '../../../nodes/WalletService/resources/contract/user-addresses.ts';

/** An item's context over an HTTP client that gives one answer, or fails. */
function contextOver(answer: object | Error): IExecuteSingleFunctions {
	const httpRequestWithAuthentication = async () => {
		if (answer instanceof Error) throw answer;
		return answer;
	};
	const context = {
		getNode: () => ({ parameters: {} }),
		getCredentials: async () => ({ baseUrl: 'https://wallet.example.com', accessToken: 'token' }),
		helpers: { httpRequestWithAuthentication },
	};
	return context as unknown as IExecuteSingleFunctions;
}

test.each([
	['an internal error', { statusCode: 500, headers: {}, body: '' }],
	['a refusal', { statusCode: 403, headers: {}, body: '' }],
	['a web page', { statusCode: 200, headers: {}, body: '<html>' }],
	['another shape', { statusCode: 200, headers: {}, body: '{}' }],
	['a broken connection', Object.assign(new Error('cut'), { code: 'ECONNRESET' })],
])('the call is not sent when its look-up ends with %s', async (_what, answer) => {
	const run = new NodeRun({ options: {} }, 'together', false);
	const failure = await resolveUsers(
		contextOver(answer),
		run,
		['DISCORD-1'],
		async (attempt) => await attempt(),
	).catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(CallFailure);
	expect(failure).toMatchObject({ details: { outcome: 'not sent' } });
});
