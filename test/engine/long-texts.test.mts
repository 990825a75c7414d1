/** Text of any length in a parameter does not block n8n: it is read in full, or refused. See `answers` for long answers. */
import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	NodeParameterValueType,
} from 'n8n-workflow';

import { listOperations } from '../support/operations.mts';
import { useForm } from './support/form.mts';
import { CONTRACT } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const LENGTH = 250_000;
const CHARACTERS = [' ', '\t', '\n', ',', '(', '[', '0', 'a'];
/** Maximum work for one string, in microseconds of CPU time: quadratic work takes longer, even at ten characters per nanosecond. */
const MOST_WORK = 1_000_000;
/** Parameters that accept text of any length; the others refuse long text without reading it. */
const LONG = ['args', 'arguments', 'contractAbi'];

const ARGUMENTS = ['bool yes', 'bytes data', 'string words', 'uint8[] list', '(uint8 x) pair'];
const FIELDS = ['yes (bool)', 'data (bytes)', 'words (string)', 'list (uint8[])', 'pair ((uint8))'];

/** Valid values for the other parameters, without which the one under test would not be read at all. */
const USABLE: INodeParameters = {
	...{ contractAddress: CONTRACT, token: CONTRACT, recipient: CONTRACT, amount: '1', pieceId: '1' },
	...{ userId: 'X-1', userIds: 'X-1', transactionHash: `0x${'1'.repeat(64)}`, threshold: '1' },
	...{ functionSource: 'signature', abi: `f(${ARGUMENTS.join(', ')}) returns (uint8)` },
	...{ argumentsMode: 'json', args: '[true, "0x", "", [], [1]]', conditionValue: '1' },
	options: { maxTries: 1 },
};

/** The values of a parameter that contain the text: as the whole value, as part of it, or in one of its entries. */
function filledWith(text: string, property: INodeProperties): NodeParameterValueType[] {
	const { type, typeOptions, options = [], modes = [], default: preset } = property;
	const inEntries = (entries: readonly INodeProperties[], others: object = {}) =>
		entries.flatMap((entry) =>
			filledWith(text, entry).map((value) => ({ ...others, [entry.name]: value })),
		);
	switch (type) {
		case 'notice':
			return [];
		case 'resourceLocator':
			return modes.map(({ name: mode }) => ({ __rl: true, mode, value: text }));
		case 'resourceMapper':
			return FIELDS.map((name) => {
				const others = { 'data (bytes)': '0x', 'words (string)': '', 'list (uint8[])': '[]' };
				return { mappingMode: 'defineBelow', value: { ...others, [name]: text } };
			});
		case 'collection':
			return inEntries(options as INodeProperties[], Object(preset));
		case 'fixedCollection':
			return (options as INodePropertyCollection[]).flatMap(({ name, values }) =>
				inEntries(values).map((group) => {
					return { [name]: typeOptions?.multipleValues === true ? [group] : group };
				}),
			);
		default:
			return [text];
	}
}

/** The choices that make the form show a parameter; an agent's tool has a separate form. */
function choicesFor({ displayOptions: { show = {} } = {} }: INodeProperties): INodeParameters[] {
	let choices: INodeParameters[] = [{}];
	for (const [name, values = []] of Object.entries(show)) {
		if (name.startsWith('@') || name === 'resource') continue;
		// Each operation reads its parameters separately; for other choices, the first is enough.
		const each = name === 'operation' ? values : values.slice(0, 1);
		choices = choices.flatMap((one) => each.map((value) => ({ ...one, [name]: value as string })));
	}
	return choices;
}

const operations = listOperations();
const resourceOf = (operation: unknown) =>
	operations.find((one) => one.operation.value === operation)?.resource.value ?? 'user';

/** Forms of a node, each of which contains the text in one parameter. */
function casesOf(type: string, text: string) {
	const { description } = form.nodeTypes().getByNameAndVersion(`n8n-nodes-wallet-service.${type}`);
	return description.properties.flatMap((property) => {
		const { name } = property;
		const values = filledWith(text, property);
		return choicesFor(property).flatMap((choices) => {
			const { operation } = choices;
			const needed = operation === 'find' && {
				options: { maxTries: 1, submittedAt: '2026-11-21T13:28:22Z' },
			};
			const mode = name === 'arguments' ? { argumentsMode: 'fields' } : {};
			const form = { ...USABLE, resource: resourceOf(operation), ...needed, ...mode, ...choices };
			return values.map((value) => ({ property, parameters: { ...form, [name]: value } }));
		});
	});
}

const node = useNode();
const trigger = useTrigger(() => node.service);
const form = useForm();

/** Runs an action, and asserts that it took little work. @returns the message of its error */
async function littleWork(what: string, action: () => Promise<unknown>): Promise<string> {
	const before = process.cpuUsage();
	const message = await action().then(String, (error: unknown) => String(error));
	const { user, system } = process.cpuUsage(before);
	const isLittle = user + system < MOST_WORK;
	expect({ what, work: isLittle ? 'little' : user + system }).toEqual({ what, work: 'little' });
	return message;
}

/** Whether the node must refuse long text without reading it. */
const isBounded = ({ name, type, displayOptions }: INodeProperties): boolean =>
	!LONG.includes(name) &&
	['string', 'resourceLocator'].includes(type) &&
	displayOptions?.show?.['@tool'] === undefined;

describe.each(CHARACTERS)('%j', (character) => {
	const text = character.repeat(LENGTH);
	beforeEach(() => (node.service.script = () => ({ body: '{}' })));

	/** Fills in the text for each parameter of a node in turn, and uses the node. */
	async function fillEach(
		type: string,
		atLeast: number,
		use: (parameters: INodeParameters) => Promise<unknown>,
	): Promise<void> {
		const cases = casesOf(type, text);
		expect(cases.length).toBeGreaterThan(atLeast);
		for (const { property, parameters } of cases) {
			const message = await littleWork(property.name, async () => await use(parameters));
			if (isBounded(property)) expect(message).toContain(`The value has ${LENGTH} characters`);
		}
	}

	test('in any parameter of the node', async () => {
		await fillEach('walletService', 40, async (given) => (await node.run(given)).error?.message);
	});

	test('in any parameter of the trigger', async () => {
		await fillEach('walletServiceTrigger', 20, async (given) => await trigger.poller(given).poll());
	});

	test.each(['walletService', 'walletServiceTrigger'])('in the form of the %s', async (type) => {
		const open = (parameters: INodeParameters) => ({
			...{ type, parameters },
			credentials: { walletServiceApi: node.service.credential() },
		});
		for (const { property, parameters } of casesOf(type, text)) {
			for (const load of [
				async () => await form.search('getTokens', open(parameters)),
				async () => await form.options('getContractFunctions', parameters, type),
				async () => await form.fields('getArgumentFields', parameters, type),
			]) {
				await littleWork(property.name, load);
			}
		}
		await littleWork('filter', async () => await form.search('getTokens', open(USABLE), text));
	});
});
