/** A chosen token remains: n8n empties the parameter if the list for another credential lacks it, and empty would mean all. */
import { getAddress } from 'ethers';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { failed, hashOf, json } from './support/answers.mts';
import { useForm } from './support/form.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { BOB, CONTRACT, READ, TOKEN } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const form = useForm();
const { poller } = useTrigger(() => node.service);

const NAME = 'SUSD - Sandbox Dollar (0xd8dA…6045)';
const CHOSEN = { __rl: true, mode: 'list', value: TOKEN, cachedResultName: NAME };
const ENTRY = { name: NAME, value: TOKEN, description: TOKEN };
/** What n8n's editor leaves of it if the list lacks it. */
const EMPTIED = { ...CHOSEN, value: '', cachedResultName: '', cachedResultUrl: '' };

describe('the list of tokens contains it', () => {
	const FORMS: readonly [string, IDataObject, type?: string][] = [
		['Balance: Get Token', { resource: 'balance', operation: 'token', token: CHOSEN }],
		['Token: Send', { resource: 'token', operation: 'send', token: CHOSEN }],
		['a filter', { resource: 'history', operation: 'list', filters: { token: CHOSEN } }],
		['the trigger', { event: 'newTransfer', token: CHOSEN }, 'walletServiceTrigger'],
	];
	const listed = async (parameters: IDataObject, filter?: string, more: object = {}) => {
		const credentials = { walletServiceApi: node.service.credential() };
		const open = { parameters: parameters as INodeParameters, credentials, ...more };
		return (await form.search('getTokens', open, filter)).results;
	};
	const transfersOf = (tokenAddress: string) =>
		void (node.service.script = () =>
			json([{ amount: { tokenAddress, symbol: 'NEW', name: 'NEW', decimals: 6 } }]));

	test.each(FORMS)('of another wallet: %s', async (...[, parameters, type]) => {
		transfersOf(CONTRACT);
		const [first, ...others] = await listed(parameters, undefined, type ? { type } : {});
		expect(first).toEqual(ENTRY);
		expect(others).toMatchObject([{ name: expect.stringMatching(/^NEW \(0x/) }]);
	});

	test.each(FORMS)(
		'that cannot be loaded, with the reason: %s',
		async (...[, parameters, type]) => {
			node.service.script = () => json({ error: 'expired' }, 401);
			const more = type ? { type } : {};
			for (const credentials of [undefined, {}]) {
				const open = credentials ? { ...more, credentials } : more;
				const [first, reason, ...others] = await listed(parameters, undefined, open);
				expect([first, others]).toEqual([ENTRY, []]);
				expect(reason?.value).toBe('');
				expect(reason?.name).toMatch(
					credentials
						? /^No other tokens: No credential is selected/
						: /^No other tokens: The access token was rejected/,
				);
			}
		},
	);

	test('once, as it is stored, with the name that its contract has at present', async () => {
		transfersOf(TOKEN);
		const value = TOKEN.toLowerCase();
		const [first, ...others] = await listed({ token: { ...CHOSEN, value } });
		expect(first).toMatchObject({ value, name: expect.stringMatching(/^NEW /) });
		expect(others).toEqual([]);
	});

	test.each([
		[undefined, '0xd8dA…6045'],
		['', '0xd8dA…6045'],
		[5, '0xd8dA…6045'],
	])('by its address if its stored name is %j', async (cachedResultName, name) => {
		transfersOf(CONTRACT);
		const token = { ...CHOSEN, cachedResultName };
		expect((await listed({ token } as IDataObject))[0]?.name).toBe(name);
	});

	test('but not in a search, whose failure is shown', async () => {
		transfersOf(CONTRACT);
		expect(await listed({ token: CHOSEN }, 'new')).toMatchObject([{ value: getAddress(CONTRACT) }]);
		node.service.script = () => json({ error: 'expired' }, 401);
		await expect(listed({ token: CHOSEN }, 'new')).rejects.toThrow(/rejected/);
	});

	test.each([{ ...CHOSEN, value: '' }, { ...CHOSEN, value: '={{ $json.t }}' }, '', undefined])(
		'but not what is no token: %j',
		async (token) => {
			transfersOf(CONTRACT);
			expect(await listed({ token } as IDataObject)).toMatchObject([
				{ value: getAddress(CONTRACT) },
			]);
		},
	);
});

describe('a token without a contract on this network', () => {
	beforeEach(() => {
		node.service.description = { network: 'sepolia' };
		node.service.script = ({ path, body }) =>
			path === READ && body.includes('decimals')
				? failed(`There is no contract at ${TOKEN}`)
				: undefined;
		node.service.reports({ symbol: undefined });
	});
	const send = (token: unknown) => node.refusal({ ...sendOf(), token } as IDataObject);

	test('that was chosen from a list belongs to another wallet service', async () => {
		const { message, hint, code } = await send(CHOSEN);
		expect(message).toContain(
			'Token: There is no contract at 0xd8dA…6045 on sepolia; it was chosen with another wallet service',
		);
		expect(hint).toBe('Choose the token again from the list');
		expect(code).toBe('invalid-input');
	});

	test('that was entered is named with the network', async () => {
		const hint =
			'Check the address, and whether the credential belongs to the network of the token';
		expect(await send({ ...CHOSEN, mode: 'address' })).toMatchObject({
			message: expect.stringMatching(/There is no contract at 0xd8dA…6045 on sepolia$/),
			hint,
		});
	});

	test('is not claimed of one that only has no decimals', async () => {
		node.service.script = ({ path, body }) =>
			path === READ && body.includes('decimals') ? failed() : undefined;
		expect((await send(CHOSEN)).message).toContain('does not look like an ERC-20 token');
	});
});

describe('an emptied token never means all tokens', () => {
	const MESSAGE = 'Token: The token was emptied when another credential was selected';
	const hint = /^Choose the token again; for all tokens, choose Address and leave it empty/;
	const ALL = [
		{ __rl: true, mode: 'list', value: '' },
		{ __rl: true, mode: 'address', value: '' },
	];

	beforeEach(() => void (node.service.looks = [[{ hash: hashOf(1) }, { hash: hashOf(2) }]]));

	const list = (token: IDataObject) => ({
		resource: 'history',
		operation: 'list',
		filters: { token },
	});
	const find = (token: IDataObject) => ({
		resource: 'history',
		operation: 'find',
		transactionHash: hashOf(1),
		token,
	});

	test.each([list, find])('of %p', async (parametersOf) => {
		for (const error of await node.refused(parametersOf(EMPTIED), 'Token')) {
			expect(error.message).toContain(MESSAGE);
			expect(error.description).toMatch(hint);
		}
		for (const token of ALL)
			expect((await node.outputs(parametersOf(token))).length).toBeGreaterThan(0);
	});

	test('of the trigger, in the editor and published', async () => {
		const event = { event: 'newTransfer', userIds: BOB.id };
		for (const mode of ['manual', 'trigger'] as const) {
			const polling = poller({ ...event, token: EMPTIED } as INodeParameters, { mode }).poll();
			await expect(polling).rejects.toThrow(MESSAGE);
		}
		expect(node.service.requests).toEqual([]);
		for (const token of [...ALL, undefined]) {
			const parameters = { ...event, ...(token && { token }) } as INodeParameters;
			expect(await poller(parameters, { mode: 'manual' }).poll()).toHaveLength(1);
		}
	});
});
