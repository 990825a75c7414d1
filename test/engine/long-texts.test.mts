/** Text of any length in a parameter does not block n8n: it is read in full, or refused. See `answers` for long answers. */
import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { formsWith, USABLE } from './support/filled-forms.mts';
import { useForm } from './support/form.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const LENGTH = 1_000_000;
const CHARACTERS = [' ', '\t', '\n', ',', '(', '[', '0', 'a'];
/** Maximum work for one string, in microseconds of CPU time: quadratic work takes longer, even at ten characters per nanosecond. */
const MOST_WORK = 20_000_000;
/** Parameters that accept text of any length; the others refuse long text without reading it. */
const LONG = ['args', 'arguments', 'contractAbi'];

const node = useNode();
const trigger = useTrigger(() => node.service);
const form = useForm();
const propertiesOf = (type: string) => form.descriptionOf(type).properties;

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
		const cases = formsWith(text, propertiesOf(type));
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
			type,
			parameters,
			credentials: { walletServiceApi: node.service.credential() },
		});
		for (const { property, parameters } of formsWith(text, propertiesOf(type))) {
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
