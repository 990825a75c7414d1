/** A write that the credential's owner forbids is refused before sending. */
import type { IDataObject } from 'n8n-workflow';

import { callOf, WRITES } from './support/kinds-of-writes.mts';
import { CONTRACT as OTHER, TOKEN } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const options = { nativeCoin: '={{ $json.value ?? 1 }} wei' };
const pay = callOf('pay() payable', [], { options });

const run = async (policy: IDataObject, call = pay, settings: RunSettings = {}) =>
	await node.items(call, { credential: node.service.credential(policy), ...settings });

/** Asserts that the write is refused with this code. @returns the message */
async function refusal(policy: IDataObject, code: string, call = pay): Promise<string> {
	const credential = node.service.credential(policy);
	const refused = await node.refusal(call, { credential, items: [{ value: '100' }] });
	expect(refused.code).toBe(code);
	return refused.message;
}

// `laws-of-writes` tests the other rules, `unit/writes/policy` their names.
test.each([
	['Max Native Coin per Call"', { maxValuePerCall: '99 wei' }],
	['Max Native Coin per Execution"', { maxValuePerExecution: '99 wei' }],
])('the rule "%s forbids: %j', async (rule, policy) => {
	expect(await refusal(policy, 'policy-refused')).toContain(`rule "${rule}`);
	expect(node.service.requests).toEqual([]);
});

test.each(['walletServiceTool', 'walletService'])(
	'the limit per execution applies to each call of a tool named %s, which has no execution',
	async (type) => {
		const credential = node.service.credential({ maxValuePerExecution: '3 wei' });
		const nativeCoin = "={{ $fromAI('value') }} wei";
		const call = callOf('pay() payable', [], { options: { nativeCoin } });
		const paid = async (value: number) => await node.tool(call, { value }, { credential, type });
		const submitted = { submitted: true };
		expect([await paid(2), await paid(3)]).toMatchObject([submitted, submitted]);
		await expect(paid(4)).rejects.toThrow('rule "Max Native Coin per Execution"');
		expect(node.service.writes).toHaveLength(2);
	},
);

// `unit/writes/policy` tests which values are readable.
describe('a policy that cannot be read forbids all writes and names the field', () => {
	const variable = '={{ $vars.missing }}';

	test.each([
		['Allow Writes', { allowWrites: variable }],
		['Allowed Contracts', { allowedContracts: variable }],
		['Allowed Contracts', { allowedContracts: { 0: OTHER } }],
		['Allowed Contracts', { allowedContracts: `${variable}\n{{ $vars.other }}` }],
		['Allowed Functions', { allowedFunctions: true }],
		['Allowed Functions', { allowedFunctions: variable }],
		['Allowed Recipients', { allowedRecipients: true }],
		['Allowed Recipients', { allowedRecipients: ` ${variable} ,` }],
		['Allowed Recipients', { allowedRecipients: [OTHER, null] }],
		['Token Limits per Execution', { amountLimits: variable }],
		['Token Limits per Execution', { amountLimits: [`1 ${OTHER}`, `2 ${OTHER}`] }],
		['Max Native Coin per Call', { maxValuePerCall: variable }],
		['Max Native Coin per Execution', { maxValuePerExecution: ['1 ether'] }],
		['Max Native Coin per Call', { maxValuePerCall: `${variable} {{ $vars.unit }}` }],
		['Max Native Coin per Execution', { maxValuePerExecution: variable }],
		['Max Native Coin per Execution', { maxValuePerExecution: `${variable} ` }],
	])('%s: %j', async (field, policy) => {
		expect(await refusal(policy, 'policy-unreadable')).toContain(`Credential: ${field}: `);
		expect(node.service.requests).toEqual([]);
	});
});

test('an allowed recipient with a name is refused with the reason', async () => {
	for (const allowedRecipients of [`Anna ${OTHER}`, `${OTHER} (Anna)`]) {
		const message = await refusal({ allowedRecipients }, 'policy-unreadable');
		expect(message).toMatch(/without a name|contains text besides the address/);
	}
});

test.each([
	{
		allowedContracts: `${OTHER},\n${TOKEN.toLowerCase()}`,
		allowedFunctions: 'f((uint256,(bool,address)[]),bytes); 0x1B9265B8',
		maxValuePerCall: '100 wei',
		maxValuePerExecution: '0.0000000000000001 ether',
	},
	{ allowedContracts: [OTHER, TOKEN], allowedFunctions: ['', 'pay()\nf(bool)'] },
	{ allowedContracts: [], allowedFunctions: '', maxValuePerCall: '' },
])('what the policy allows is sent: %j', async (policy) => {
	const allowed = { allowWrites: true, ...policy };
	const items = await run(allowed, pay, { items: [{ value: '100' }] });
	expect(items).toMatchObject([{ submitted: true }]);
});

test.each(Object.entries(WRITES))('a list of contracts allows %s', async (_kind, { same }) => {
	await run({ allowedContracts: TOKEN }, same);
	expect(node.service.writes).toHaveLength(1);
});

test('reads are allowed, whatever the policy for writes is', async () => {
	node.service.values = { '': ['5'] };
	const read = callOf('level() view returns (uint8)', [], { operation: 'read' });
	expect(await run({ allowWrites: false }, read)).toMatchObject([{ value: '5' }]);
});
