/** Version 1.1 of the trigger has other defaults; saved workflows keep the meaning that they had. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { json } from './support/answers.mts';
import { useForm } from './support/form.mts';
import { failureOf, useTriggerService } from './support/trigger-service.mts';
import { useScriptedService } from './support/scripted-service.mts';
import { TOKEN } from './support/scripted-world.mts';

const { idOf, mint, poller, service } = useTriggerService();
const form = useForm();
const type = 'walletServiceTrigger';

const ALL = { __rl: true, mode: 'list', value: 'all', cachedResultName: 'All tokens' };
const latest = 1.1;

/** Pays from Nelly's wallet, and into it. */
async function payBothWays(): Promise<void> {
	const { address } = service().user('Rahul Sen');
	await service().submit('Nelly', 'usd', 'transfer(address,uint256)', [address, '3']);
	await mint('Nelly', '4');
}

const ways = (items: IDataObject[] = []) => items.map(({ direction }) => direction);

test('a new node has the latest version', () => {
	const { version, defaultVersion } = form.descriptionOf(type);
	expect([version, defaultVersion]).toEqual([[1, latest], latest]);
});

test.each([
	[1, 'any', undefined],
	[latest, 'received', true],
])('n8n stores no untouched default of version %d', (typeVersion, direction, alertIfPast) => {
	const description = form.descriptionOf(type);
	const valuesOf = (event: string, withDefaults: boolean) =>
		NodeHelpers.getNodeParameters(
			...([description.properties, { event, threshold: '5' }, withDefaults, false] as const),
			...([{ typeVersion }, description] as const),
		);
	const event = 'balanceCrossedThreshold';
	expect(valuesOf('newTransfer', false)).not.toHaveProperty('direction');
	expect(valuesOf(event, false)).toEqual({ event, threshold: '5' });
	expect(valuesOf('newTransfer', true)).toMatchObject({ direction });
	expect(valuesOf(event, true)?.alertIfPast).toBe(alertIfPast);
});

test('a transfer that was sent starts only a saved workflow, unless it is wanted', async () => {
	const event = { event: 'newTransfer', userIds: idOf('Nelly') };
	const saved = poller(event);
	const triggers = [ALL, { ...ALL, mode: 'address' }, 'all', service().contracts.usd].map((token) =>
		poller({ ...event, token } as INodeParameters, { typeVersion: latest }),
	);
	const any = poller({ ...event, token: ALL, direction: 'any' }, { typeVersion: latest });
	for (const trigger of [saved, any, ...triggers]) expect(await trigger.poll()).toBeUndefined();
	await payBothWays();
	for (const trigger of [saved, any])
		expect(ways(await trigger.poll())).toEqual(['sent', 'received']);
	for (const trigger of triggers) expect(ways(await trigger.poll())).toEqual(['received']);
});

test.each([undefined, '', { ...ALL, value: '' }])(
	'no token is not all tokens: %j',
	async (token) => {
		const event = {
			event: 'newTransfer',
			userIds: idOf('Nelly'),
			...(token !== undefined && { token }),
		};
		const polling = poller(event, { typeVersion: latest }).poll();
		expect(await failureOf(polling)).toMatchObject({
			message: expect.stringContaining('No token is selected'),
			description: expect.stringContaining('"All Tokens, Also Worthless Ones"'),
			context: { details: { parameter: 'Token' } },
		});
	},
);

test('a minimum amount still needs one token', async () => {
	const event = { event: 'newTransfer', userIds: idOf('Nelly'), token: ALL, minimumAmount: '5' };
	const polling = poller(event, { typeVersion: latest }).poll();
	expect((await failureOf(polling)).message).toContain('A minimum amount needs a token');
});

describe('a balance that is past its threshold when the workflow is published', () => {
	const crossing = (more: INodeParameters = {}): INodeParameters => ({
		event: 'balanceCrossedThreshold',
		userIds: idOf('Nelly'),
		asset: 'token',
		token: service().contracts.usd,
		threshold: '900000000',
		...more,
	});

	test('is reported once', async () => {
		const trigger = poller(crossing(), { typeVersion: latest });
		expect(await trigger.poll()).toMatchObject([{ crossed: 'below', previous: 'not known' }]);
		expect(await trigger.poll()).toBeUndefined();
		const { staticData } = trigger;
		const again = poller(crossing(), { typeVersion: latest, staticData });
		expect(await again.poll()).toBeUndefined();
	});

	test.each<[string, INodeParameters, number]>([
		['of a saved workflow', {}, 1],
		['if this is switched off', { alertIfPast: false }, latest],
		['on the other side', { crossing: 'above' }, latest],
		['if an old option is left', { alertIfPast: false, options: { emitExisting: true } }, latest],
	])('is not reported: %s', async (_when, more, typeVersion) => {
		expect(await poller(crossing(more), { typeVersion }).poll()).toBeUndefined();
	});

	test('is reported to a saved workflow that asked for it', async () => {
		const trigger = poller(crossing({ options: { emitExisting: true } }));
		expect(await trigger.poll()).toHaveLength(1);
	});
});

describe('the list of tokens', () => {
	const scripted = useScriptedService();
	const NAME = 'All Tokens, Also Worthless Ones';
	const listed = async (filter?: string, more: object = {}) => {
		const credentials = { walletServiceApi: scripted().credential() };
		const open = { type, typeVersion: latest, credentials, parameters: { event: 'newTransfer' } };
		const { results } = await form.search('getTokens', { ...open, ...more }, filter);
		return results.map(({ name }) => name);
	};
	const token = { tokenAddress: TOKEN, symbol: 'SUSD', name: 'Dollar', decimals: 6 };

	test('begins with all of them, where one has to be chosen', async () => {
		scripted().script = () => json([{ type: 'TRANSFER', hash: '0x1', amount: token }]);
		const own = expect.stringMatching(/^SUSD/);
		expect(await listed()).toEqual([NAME, own]);
		expect(await listed('susd')).toEqual([own]);
		expect(await listed('worthless')).toEqual([NAME]);
		expect(await listed('', { typeVersion: 1 })).toEqual([own]);
		const parameters = { event: 'balanceChanged' };
		expect(await listed('', { parameters })).toEqual([own]);
	});

	test('has that entry even if nothing can be loaded', async () => {
		scripted().script = () => json({ error: 'expired' }, 401);
		expect(await listed()).toEqual([NAME, expect.stringMatching(/^No other tokens: /)]);
	});
});

test.each([
	['native', ['e.g. 0.05', 'e.g. 0.01']],
	['token', ['e.g. 100', 'e.g. 10']],
])('the examples fit the asset: %s', (asset, expected) => {
	const description = form.descriptionOf(type);
	const given = { event: 'balanceCrossedThreshold', asset };
	const shown = description.properties.filter(
		(one) =>
			['threshold', 'hysteresis'].includes(one.name) &&
			NodeHelpers.displayParameter(given, one, { typeVersion: latest }, description),
	);
	expect(shown.map(({ placeholder }) => placeholder)).toEqual(expected);
});
