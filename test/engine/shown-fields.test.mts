/** Which fields a form shows, as n8n's editor decides it, and what it calls a new node. */
import './support/environment.mts';

import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { useNodeTypes } from './support/node-types.mts';

const nodeTypes = useNodeTypes();
const descriptionOf = (type: string) =>
	nodeTypes().getByNameAndVersion(`n8n-nodes-wallet-service.${type}`).description;

/** The names of those fields that the form shows, from the form itself and its Options. */
function shown(fields: string[], parameters: INodeParameters, type = 'walletService'): string[] {
	const description = descriptionOf(type);
	const { properties } = description;
	const { options = [] } = properties.find(({ name }) => name === 'options') ?? {};
	const all = [...properties, ...(options as INodeProperties[])];
	const visible = all.filter(
		(one) =>
			fields.includes(one.name) &&
			NodeHelpers.displayParameter(parameters, one, { typeVersion: 1 }, description),
	);
	return visible.map(({ name }) => name);
}

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
	['contract', 'read', ['concurrency']],
	['contract', 'write', ['sendAgain']],
	['token', 'send', ['sendAgain']],
])('%s: %s has %j under Options', (resource, operation, expected) => {
	const given = { resource, operation };
	expect(shown(['concurrency', 'sendAgain'], given)).toEqual(expected);
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
