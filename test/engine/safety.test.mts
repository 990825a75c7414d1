/** Invalid input is never sent, and the access token is never disclosed. */
import type { IDataObject } from 'n8n-workflow';

import { startLocalServer } from '../../tools/network/local-server.mts';
import { storeCall } from './support/contract-calls.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const node = useNode(useService());

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const user = (userId: string) => ({ resource: 'user', operation: 'get', userId });
const balance = (token: string) => ({ resource: 'balance', operation: 'token', token });
const send = (recipient: string) => sendOf({ token: ADDRESS, recipient });
const call = (operation: string, changes: IDataObject = {}) =>
	storeCall(ADDRESS, { operation, abi: 'f(uint8)', ...changes });
const pay = (nativeCoin: string) => call('write', { options: { nativeCoin } });

test.each<[string, IDataObject, RegExp]>([
	['a user ID without provider', user('8035'), /User ID: "8035"/],
	['a short address', balance('0x12'), /Token: .* has 2 hexadecimal digits/],
	['a wrong checksum', balance(ADDRESS.replace('d8dA', 'D8dA')), /Token: .* wrong checksum/],
	['the native coin as a token', balance(NATIVE), /Token: .* not a token/],
	['a wallet on a network', send(`matic:${ADDRESS}`), /Recipient: .* names a network/],
	['half a signature', call('read', { abi: 'balanceOf' }), /Function Signature/],
	['a value out of range', call('read', { args: '["256"]' }), /uint8/],
	['too few arguments', call('write', { args: '[]' }), /argument/i],
	['arguments that are not JSON', call('write', { args: '[' }), /JSON/],
	['less coin than there is', pay('0.5 wei'), /Native Coin/],
	['a negative value', pay('-1'), /Native Coin/],
	['no value', pay(''), /Native Coin.*: The amount is missing/],
	['a unit without a value', pay('={{ $json.no }} wei'), /Native Coin.*"wei" is not an amount/],
	['too much coin', pay(`1${'0'.repeat(60)}`), /Native Coin.* more than a contract can receive/],
	[
		'half a try',
		{ ...user(''), options: { maxTries: 2.9 } },
		/Options: Max Tries: 2.9 is not a whole/,
	],
	['half a request', { ...user(''), options: { concurrency: '1.5' } }, /Concurrency: "1.5" is not/],
	['no concurrency', { ...user(''), options: { concurrency: -1 } }, /Options: Concurrency: -1 /],
])('%s is refused, naming the parameter and the item', async (_name, parameters, message) => {
	const { error } = await node.run(parameters);
	expect(error?.message).toMatch(message);
	expect(error?.description).toMatch(/\w\S*\. Item 1$/);
	expect(await node.service.faults.requests()).toEqual([]);
});

test('an ID with slashes and other special characters finds its user', async () => {
	const { id = '', address } = node.service.ready.users.find((one) => one.id.includes('/')) ?? {};
	const { items } = await node.run(user(id));
	expect(items[0]?.json).toMatchObject({ id, address });
});

test.each(['read', 'write'])('a redirect of a %s is not followed', async (operation) => {
	let isReached = false;
	await using other = await startLocalServer((_request, response) => {
		isReached = true;
		response.end('{}');
	});
	const location = `${other.url}/v1/x`;
	await node.service.faults.add({ kind: 'redirect', params: { location } });
	const { error } = await node.run(call(operation));
	expect(error?.message).toContain(`redirects to ${location}`);
	expect(isReached).toBe(false);
});
