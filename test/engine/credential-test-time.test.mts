/** The test of a credential ends in time, however slowly a service answers. */
import './support/environment.mts';

import { CredentialTestContext } from 'n8n-core';

import { startLocalServer } from '../../tools/network/local-server.mts';
import { additionalDataFor } from './support/engine.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { StoredCredentials } from './support/stored-credentials.mts';

/** So many times faster than in life. */
const HASTE = 50;
const BETWEEN_BYTES_MS = 1000 / HASTE;

let asked: number[];
beforeEach(() => {
	asked = [];
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		asked.push(milliseconds);
		return timeout(milliseconds / HASTE);
	});
});
afterEach(() => jest.restoreAllMocks());

const NOBODY = { status: 401, text: '' };
/** Longer than the test may last, at a byte a second. */
const ENDLESS = { status: 401, text: ' '.repeat(100_000) };

test.each([
	['the first answer', [ENDLESS]],
	['the second answer', [NOBODY, ENDLESS]],
])('%s comes one byte a second', async (_name, answers) => {
	let requests = 0;
	await using server = await startLocalServer((_request, response) => {
		const { status, text } = answers[requests++] ?? NOBODY;
		response.writeHead(status, { 'content-type': 'application/json' });
		let sent = 0;
		const drip = setInterval(() => {
			if (sent < text.length) response.write(text[sent++]);
			else response.end();
		}, BETWEEN_BYTES_MS);
		response.on('close', () => clearInterval(drip));
	});
	const nodeTypes = await LoadedNodeTypes.load();
	const stored = new StoredCredentials({}, (name) => nodeTypes.credentialType(name));
	const { methods } = nodeTypes.getByNameAndVersion('n8n-nodes-wallet-service.walletService');
	const testing = methods?.credentialTest?.testWalletServiceApi?.call(
		new CredentialTestContext(additionalDataFor(stored)),
		{
			...{ id: '1', name: 'Test', type: 'walletServiceApi' },
			data: { baseUrl: server.url, accessToken: 'abcd' },
		},
	);
	expect(await testing).toEqual({
		status: 'Error',
		message: expect.stringContaining('it did not answer in time'),
	});
	expect(requests).toBe(answers.length);
	// One time for the test as a whole.
	expect(asked).toEqual([15_000]);
});
