/** However long a text is that a parameter is given, of whichever parameter, it does not hold up n8n. */
import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	NodeParameterValueType,
} from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { Form } from './support/form.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { Poller } from './support/poller.mts';
import { useScriptedService } from './support/scripted-service.mts';

const LENGTH = 1_000_000;
const CHARACTERS = [' ', '\t', '\n', ',', '(', '[', '0', 'a'];
/** Most work for one text, in microseconds of this process: what takes more than linear time takes minutes. */
const MOST_WORK = 2_000_000;
/** Parameters that may hold a text of that length; others are refused unread. */
const LONG = ['args', 'arguments', 'contractAbi'];

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const ARGUMENTS = ['bool yes', 'bytes data', 'string words', 'uint8[] list', '(uint8 x) pair'];
const FIELDS = ['yes (bool)', 'data (bytes)', 'words (string)', 'list (uint8[])', 'pair ((uint8))'];

/** What the form must hold so that the parameter at hand is read at all. */
const USABLE: INodeParameters = {
	...{ contractAddress: ADDRESS, token: ADDRESS, recipient: ADDRESS, amount: '1', pieceId: '1' },
	...{ userId: 'X-1', userIds: 'X-1', transactionHash: `0x${'1'.repeat(64)}`, threshold: '1' },
	...{ functionSource: 'signature', abi: `f(${ARGUMENTS.join(', ')}) returns (uint8)` },
	...{ argumentsMode: 'json', args: '[true, "0x", "", [], [1]]', conditionValue: '1' },
	options: { maxTries: 1 },
};

/** A form whose parameter, or a part of it, holds a text. */
interface Case {
	readonly property: INodeProperties;
	readonly fill: (text: string) => INodeParameters;
}

type Fill = (text: string) => NodeParameterValueType;

/** The ways in which a parameter can hold a text: as its value, as part of it, or in one of its entries. */
function waysToFill(property: INodeProperties): Fill[] {
	const { type, typeOptions, options = [], modes = [], default: preset } = property;
	const inEntries = (entries: readonly INodeProperties[], others: object = {}): Fill[] =>
		entries.flatMap((entry) =>
			waysToFill(entry).map(
				(fill): Fill =>
					(text) => ({ ...others, [entry.name]: fill(text) }),
			),
		);
	switch (type) {
		case 'notice':
			return [];
		case 'resourceLocator':
			return modes.map(({ name: mode }) => (value) => ({ __rl: true, mode, value }));
		case 'resourceMapper':
			return FIELDS.map((name) => (text) => {
				const others = { 'data (bytes)': '0x', 'words (string)': '', 'list (uint8[])': '[]' };
				return { mappingMode: 'defineBelow', value: { ...others, [name]: text } };
			});
		case 'collection':
			return inEntries(options as INodeProperties[], Object(preset));
		case 'fixedCollection':
			return (options as INodePropertyCollection[]).flatMap(({ name, values }) =>
				inEntries(values).map(
					(fill): Fill =>
						(text) => {
							const group = fill(text) as INodeParameters;
							return { [name]: typeOptions?.multipleValues === true ? [group] : group };
						},
				),
			);
		default:
			return [(text) => text];
	}
}

/** What has to be chosen for a parameter to be shown; the form that an agent's tool has is another one. */
function choicesFor({ displayOptions: { show = {} } = {} }: INodeProperties): INodeParameters[] {
	let choices: INodeParameters[] = [{}];
	for (const [name, values = []] of Object.entries(show)) {
		if (name.startsWith('@')) continue;
		// Each operation reads a parameter by itself; of other choices the first is enough.
		const each = name === 'operation' ? values : values.slice(0, 1);
		if (name === 'resource') continue;
		choices = choices.flatMap((one) => each.map((value) => ({ ...one, [name]: value as string })));
	}
	return choices;
}

const RESOURCES: Readonly<Record<string, string>> = {
	...{ native: 'balance', send: 'token', list: 'history', find: 'history', get: 'user' },
	...{ read: 'contract', write: 'contract' },
};

function casesOf(type: string): Case[] {
	const { description } = nodeTypes.getByNameAndVersion(`n8n-nodes-wallet-service.${type}`);
	return description.properties.flatMap((property) => {
		const ways = waysToFill(property);
		return choicesFor(property).flatMap((choices) =>
			ways.map((fill): Case => {
				const { operation } = choices;
				const resource =
					operation === 'token' ? 'balance' : (RESOURCES[String(operation)] ?? 'user');
				const { name } = property;
				const needed = operation === 'find' && {
					options: { maxTries: 1, submittedAt: '2026-11-21T13:28:22Z' },
				};
				const mode = name === 'arguments' ? { argumentsMode: 'fields' } : {};
				const form = { ...USABLE, resource, ...needed, ...mode, ...choices };
				return { property, fill: (text) => ({ ...form, [name]: fill(text) }) };
			}),
		);
	});
}

let engine: Engine;
let form: Form;
let nodeTypes: LoadedNodeTypes;
beforeAll(async () => {
	[engine, form, nodeTypes] = await Promise.all([
		Engine.create(),
		Form.create(),
		LoadedNodeTypes.load(),
	]);
});
const service = useScriptedService();
const credential = () => ({ baseUrl: service().baseUrl, accessToken: 'abcd', userId: 'X-1' });

/** Does something, and asserts that it was little work. @returns the message of its error */
async function littleWork(what: string, action: () => Promise<unknown>): Promise<string> {
	const before = process.cpuUsage();
	const message = await action().then(String, (error: unknown) => String(error));
	const { user, system } = process.cpuUsage(before);
	const isLittle = user + system < MOST_WORK;
	expect({ what, work: isLittle ? 'little' : user + system }).toEqual({ what, work: 'little' });
	return message;
}

/** Whether the node must refuse a text without reading it. */
const isBounded = ({ name, type, displayOptions }: INodeProperties): boolean =>
	!LONG.includes(name) &&
	['string', 'resourceLocator'].includes(type) &&
	displayOptions?.show?.['@tool'] === undefined;

describe.each(CHARACTERS)('%j', (character) => {
	const text = character.repeat(LENGTH);

	test('in any parameter of the node', async () => {
		const cases = casesOf('walletService');
		expect(cases.length).toBeGreaterThan(40);
		for (const { property, fill } of cases) {
			const message = await littleWork(property.name, async () => {
				const { error } = await engine.run({ parameters: fill(text), credential: credential() });
				return error?.message;
			});
			if (isBounded(property)) expect(message).toContain(`It has ${LENGTH} characters`);
		}
	});

	test('in any parameter of the trigger', async () => {
		const cases = casesOf('walletServiceTrigger');
		expect(cases.length).toBeGreaterThan(20);
		for (const { property, fill } of cases) {
			const poller = new Poller(nodeTypes, { parameters: fill(text), credential: credential() });
			const message = await littleWork(property.name, async () => await poller.poll());
			if (isBounded(property)) expect(message).toContain(`It has ${LENGTH} characters`);
		}
	});

	test.each(['walletService', 'walletServiceTrigger'])('in the form of the %s', async (type) => {
		const open = (parameters: INodeParameters) => ({
			...{ type, parameters },
			credentials: { walletServiceApi: credential() },
		});
		for (const { property, fill } of casesOf(type)) {
			const parameters = fill(text);
			const { name } = property;
			await littleWork(name, async () => await form.search('getTokens', open(parameters)));
			const load = async () => await form.options('getContractFunctions', parameters, type);
			await littleWork(name, load);
			const fields = async () => await form.fields('getArgumentFields', parameters, type);
			await littleWork(name, fields);
		}
		await littleWork('filter', async () => await form.search('getTokens', open(USABLE), text));
	});
});
