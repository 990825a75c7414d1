/** Which fields a form shows, as n8n's editor decides it, and what it calls a new node. */
import './support/environment.mts';

import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { useNodeTypes } from './support/node-types.mts';
import { TOKEN } from './support/scripted-world.mts';

const nodeTypes = useNodeTypes();
const descriptionOf = (type: string) =>
	nodeTypes().getByNameAndVersion(`n8n-nodes-wallet-service.${type}`).description;

/** The names of those fields that the form shows, from the form itself and its Options. */
function shown(
	fields: string[],
	parameters: INodeParameters,
	type = 'walletService',
	typeVersion = 1,
): string[] {
	const description = descriptionOf(type);
	const { properties } = description;
	const { options = [] } = properties.find(({ name }) => name === 'options') ?? {};
	const all = [...properties, ...(options as INodeProperties[])];
	const visible = all.filter(
		(one) =>
			fields.includes(one.name) &&
			one.type !== 'hidden' &&
			NodeHelpers.displayParameter(parameters, one, { typeVersion }, description),
	);
	return visible.map(({ name }) => name);
}

/** Entries of Options that earlier versions of the nodes offered. */
const SAVED = ['concurrency', 'maxTries', 'retryFor', 'timeout'];

/** Of tokens that have an ID. */
const PIECE = ['pieceId', 'tokenStandard'];

const CHOOSING = ['abi', 'contractAbi', 'contractFunction', 'readFunction', 'writeFunction'];

test.each([
	['commonFunction', 'read', ['readFunction']],
	['commonFunction', 'write', ['writeFunction']],
	['contractAbi', 'read', ['contractAbi', 'contractFunction']],
	['signature', 'write', ['abi']],
])('the source %s of a %s shows %j', (functionSource, operation, expected) => {
	const given = { resource: 'contract', operation, functionSource };
	expect(shown(CHOOSING, given)).toEqual(expected);
});

test.each([
	['contract', 'read', {}, ['options', 'decimals', 'waitUntil']],
	['contract', 'write', {}, ['options', 'sendAgain']],
	['token', 'send', {}, ['options', 'sendAgain', ...PIECE]],
	['user', 'get', {}, []],
	['user', 'get', { timeout: 5, concurrency: 0 }, ['options', 'concurrency', 'timeout']],
	['user', 'get', { maxTries: '={{ 1 }}' }, ['options', 'maxTries']],
	[
		'token',
		'send',
		{ retryFor: '', concurrency: 2 },
		['options', 'retryFor', 'sendAgain', ...PIECE],
	],
])('%s: %s with the saved options %j shows %j', (resource, operation, options, expected) => {
	const given = { resource, operation, options, tokenStandard: 'erc20' } as INodeParameters;
	const entries = ['decimals', 'sendAgain', 'waitUntil', ...PIECE, ...SAVED];
	expect(shown(['options', ...entries], given)).toEqual(expected);
});

test.each<[string, typeVersion: number, options: INodeParameters, expected: string[]]>([
	['newTransfer', 1.1, {}, ['options', 'emitExisting']],
	['balanceCrossedThreshold', 1, {}, ['options', 'emitExisting']],
	['balanceCrossedThreshold', 1.1, {}, []],
	['balanceCrossedThreshold', 1.1, { timeout: 5 }, ['options', 'timeout']],
])('the trigger: %s of version %f with the saved options %j shows %j', (...given) => {
	const [event, typeVersion, options, expected] = given;
	const fields = ['options', 'emitExisting', ...SAVED];
	expect(shown(fields, { event, options }, 'walletServiceTrigger', typeVersion)).toEqual(expected);
});

/** What n8n stores of a workflow when it is opened, and when it is run. */
test.each([true, false])('saved options are kept (with defaults: %s)', (withDefaults) => {
	const { properties, ...description } = descriptionOf('walletService');
	const options = { timeout: 60, maxTries: 4, concurrency: 10 };
	for (const operation of ['get', 'send']) {
		const resource = operation === 'get' ? 'user' : 'token';
		const stored = NodeHelpers.getNodeParameters(
			...([properties, { resource, operation, options }, withDefaults, false] as const),
			...([{ typeVersion: 1 }, { properties, ...description }] as const),
		);
		expect(stored?.options).toEqual(options);
	}
});

test.each([
	['', []],
	['100', ['onlyWhere']],
	['={{ $json.limit }}', ['onlyWhere']],
])('Compare With %j shows %j', (compareWith, expected) => {
	const given = { resource: 'balance', operation: 'native', compareWith };
	expect(shown(['onlyWhere'], given)).toEqual(expected);
});

test.each<[string, INodeParameters]>([
	['not in a new workflow', {}],
	['not for a read', { operation: 'read', options: { orderId: 'INV-1' } }],
	['if it was saved there', { options: { orderId: 'INV-1' } }],
	['if it was saved there, even empty', { options: { orderId: '' } }],
])('Order ID is under Options: %s', (when, changes) => {
	const given = { resource: 'contract', operation: 'write', ...changes };
	const { options = [] } =
		descriptionOf('walletService').properties.find(({ name }) => name === 'options') ?? {};
	const [entry] = (options as INodeProperties[]).filter(({ name }) => name === 'orderId');
	const isShown = entry && NodeHelpers.displayParameter(given, entry, { typeVersion: 1 }, null);
	expect(isShown).toBe(!when.startsWith('not'));
});

test.each([
	['walletService', ['pinWhatSent', 'simplify']],
	['walletServiceTool', ['output']],
])('Find Transfer of the %s shows %j', (type, expected) => {
	const given = { resource: 'history', operation: 'find' };
	expect(shown(['pinWhatSent', 'simplify', 'output'], given, type)).toEqual(expected);
});

/** What n8n stores of a node when its workflow is opened (with defaults), and when it is saved. */
function stored(values: INodeParameters, withDefaults: boolean): INodeParameters {
	const { properties, ...description } = descriptionOf('walletService');
	const node = [{ typeVersion: 1 }, { properties, ...description }] as const;
	return NodeHelpers.getNodeParameters(properties, values, withDefaults, false, ...node) ?? {};
}

/** The shown ones of these fields after a workflow is opened; asserts that they keep their values, also when it is saved. */
function shownAndKept(names: string[], given: INodeParameters, expected: string[]): string[] {
	const opened = stored(given, true);
	const isKept = (name: string) => name === 'options' || expected.includes(name);
	const fields = Object.entries(given).filter(([name]) => isKept(name));
	for (const kept of [opened, stored(given, false), stored(opened, false)])
		expect(kept).toMatchObject(Object.fromEntries(fields));
	return shown(names, opened);
}

const BESIDE_HASH = ['transactionHash', 'token', 'recipient', 'amount'];
const EMPTIED = { __rl: true, mode: 'list', value: '', cachedResultName: 'SUSD' };

test.each<[found: INodeParameters, expected: string[]]>([
	[{}, ['transactionHash']],
	[{ options: { findBy: 'hash' } }, ['transactionHash']],
	[{ options: { findBy: 'payment' } }, BESIDE_HASH],
	[{ options: { findBy: 'content' } }, BESIDE_HASH.slice(1)],
	// Workflows of earlier versions.
	[{ amount: '12.5' }, ['transactionHash', 'amount']],
	[{ amount: 12.5, options: { findBy: 'hash' } }, ['transactionHash', 'amount']],
	[{ recipient: '={{ $json.to }}' }, ['transactionHash', 'recipient']],
	[{ token: { ...EMPTIED, value: TOKEN } }, ['transactionHash', 'token']],
	[
		{ token: { __rl: true, mode: 'url', value: '={{ $json.page }}' } },
		['transactionHash', 'token'],
	],
	[{ token: EMPTIED }, ['transactionHash', 'token']],
	[
		{ token: { ...EMPTIED, value: '={{ $json.t }}' }, options: { findBy: 'content' } },
		BESIDE_HASH.slice(1),
	],
	[{ token: { __rl: true, mode: 'address', value: '' } }, ['transactionHash']],
	[{ amount: '1', options: { findBy: 'content' } }, BESIDE_HASH.slice(1)],
])('Find Transfer with %j shows %j, and keeps what is shown', (saved, expected) => {
	const given = { resource: 'history', operation: 'find', ...saved };
	expect(shownAndKept(BESIDE_HASH, given, expected).sort()).toEqual([...expected].sort());
});

test.each<[saved: INodeParameters, expected: string[]]>([
	[{ amount: '5' }, ['amount', ...PIECE]],
	[{ amount: '1', options: { pieceId: '42' } }, ['amount', ...PIECE]],
	[{ amount: '3', options: { pieceId: '={{ $json.id }}' } }, ['amount', ...PIECE]],
	[{ options: { pieceId: '42', tokenStandard: 'erc1155' } }, ['amount', ...PIECE]],
	// Workflows of earlier versions.
	[{ tokenStandard: 'erc721', pieceId: '42' }, ['tokenStandard', 'pieceId']],
	[{ tokenStandard: 'erc1155', pieceId: '7', amount: '3' }, ['amount', 'tokenStandard', 'pieceId']],
])('Send with %j shows %j, and keeps what is shown', (saved, expected) => {
	const given = { resource: 'token', operation: 'send', ...saved };
	expect(shownAndKept(['amount', ...PIECE], given, expected)).toEqual(expected);
});

/** Arguments as JSON has the name of the field that earlier versions of the nodes had in its place. */
const ARGUMENTS = ['argumentsMode', 'arguments', 'args'];

test.each<[saved: INodeParameters, expected: string[]]>([
	[{}, ['arguments', 'args']],
	[{ argumentsMode: 'fields' }, ['arguments', 'args']],
	[{ options: { args: '={{ [$json.to] }}' } }, ['args']],
	[{ options: { args: '' } }, ['args']],
	[{ argumentsMode: 'json', options: { args: '[]' } }, ['args']],
	// Workflows of earlier versions.
	[{ argumentsMode: 'json', args: '={{ [$json.to] }}' }, ['argumentsMode', 'args', 'args']],
])('Write with %j shows %j, and keeps what is shown', (saved, expected) => {
	const given = { resource: 'contract', operation: 'write', ...saved };
	expect(shownAndKept(ARGUMENTS, given, expected)).toEqual(expected);
});

test.each([
	['contractValue', ['arguments', 'args']],
	['newTransfer', []],
])('the trigger for %s shows %j', (event, expected) => {
	expect(shown(ARGUMENTS, { event, argumentsMode: 'fields' }, 'walletServiceTrigger', 1.1)).toEqual(
		expected,
	);
});

test.each([
	['native', 'e.g. 0.05', 'whole coins, such as 0.05 or'],
	['token', 'e.g. 100', 'whole tokens, such as 100 or'],
])('the example of Compare With fits the balance: %s', (operation, placeholder, words) => {
	const given = { resource: 'balance', operation };
	const { properties } = descriptionOf('walletService');
	const shownOnes = properties.filter(
		(one) =>
			one.name === 'compareWith' &&
			NodeHelpers.displayParameter(given, one, { typeVersion: 1 }, null),
	);
	const description: unknown = expect.stringContaining(words);
	expect(shownOnes).toEqual([expect.objectContaining({ placeholder, description })]);
});

test.each(['walletService', 'walletServiceTrigger'])(
	'a new %s has the name of its type',
	(type) => {
		const { defaults, displayName } = descriptionOf(type);
		expect(displayName).toMatch(/^Wallet Service/);
		expect(defaults.name).toBe(displayName);
	},
);

test.each(['walletServiceApi', 'walletServiceOAuth2Api'])(
	'%s: what a person rarely needs comes after the spending limits',
	(type) => {
		const names = nodeTypes()
			.credentialType(type)
			.properties.map(({ name }) => name);
		const after = names.slice(names.indexOf('maxValuePerExecution') + 1);
		expect(after.slice(0, 4)).toEqual([
			...['connection', 'allowInsecureHttp', 'proxy', 'ignoreSSLIssues'],
		]);
	},
);
