/** What the test of a credential says of its spending limits. */
import type { NodeParameterValueType } from 'n8n-workflow';

import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';
import { CredentialTester } from './support/credential-tester.mts';

let service: Service;
let tester: CredentialTester;

const resources = useResources();
beforeAll(async () => {
	[service, tester] = await Promise.all([resources.use(Service.start()), CredentialTester.load()]);
});

/** What a person enters by mistake: a field as the form stores it, the entry, and what the test says of it. */
const UNUSABLE: [field: string, entry: NodeParameterValueType, said: RegExp][] = [
	['allowWrites', 'yes', /"yes" is not true or false/],
	['allowedContracts', 'SUSD', /"SUSD" is not an address/],
	['allowedContracts', 'DISCORD-80351110224678912', /is not an address/],
	['allowedContracts', '0x5FbDB2315678afecb367f032d93F642f64180aa', /39 hexadecimal digits/],
	['allowedContracts', '0x5FbDB2315678afecb367f032d93F642f64180aA3', /has a wrong checksum/],
	['allowedContracts', `0x${'ab'.repeat(20)}, all others`, /"all others" is not an address/],
	['allowedFunctions', 'send money', /"send money"/],
	['allowedFunctions', 'transfer', /"transfer"/],
	['allowedFunctions', '0xa9059c', /"0xa9059c"/],
	['allowedFunctions', 'transfer(adress,uint256)', /"adress"/],
	['allowedRecipients', 'Nelly', /"Nelly" is neither a user ID nor a wallet address/],
	['allowedRecipients', 'discord-1', /Write DISCORD-1/],
	['allowedRecipients', `DISCORD-1, 0x${'ab'.repeat(19)}`, /38 hexadecimal digits/],
	['amountLimits', '250', /"250" is not an amount and the address of its token, such as 250 0x/],
	['amountLimits', `0x${'ab'.repeat(20)}`, /is not an amount and the address of its token/],
	[
		'amountLimits',
		`250 SUSD 0x${'ab'.repeat(20)}`,
		/is not an amount and the address of its token/,
	],
	['amountLimits', `0,5 0x${'ab'.repeat(20)}`, /"0,5" has a comma/],
	['amountLimits', `-1 0x${'ab'.repeat(20)}`, /"-1" is negative/],
	[
		'amountLimits',
		`1 0x${'ab'.repeat(20)}\n2 0x${'AB'.repeat(20)}`,
		/is not a list with one limit per token/,
	],
	['amountLimits', '5 0x5FbDB2315678afecb367f032d93F642f64180aA3', /has a wrong checksum/],
	['maxValuePerCall', '10', /"10" is not an amount with a unit, such as 0\.1 ether/],
	['maxValuePerCall', '0.5', /"0\.5" has a decimal point but no unit/],
	['maxValuePerCall', '10 SUSD', /"10 SUSD" is not an amount/],
	['maxValuePerCall', '-1 ether', /"-1 ether" is not an amount of 0 or more/],
	['maxValuePerCall', '0.1 gwei wei', /is not an amount/],
	['maxValuePerExecution', 'a little', /"a little" is not an amount/],
	['maxValuePerExecution', '100', /"100" is not an amount with a unit/],
	['maxValuePerExecution', '0.1234567891 gwei', /0\.1234567891 gwei/],
];

test.each(UNUSABLE)('spending limits with %s: %j', async (name, entry, said) => {
	const { displayName } = tester.fieldOf(name);
	const { status, message } = await tester.test({ ...service.credential(), [name]: entry });
	expect(status).toBe('Error');
	expect(message.startsWith(`${displayName}: `)).toBe(true);
	expect(message).toMatch(said);
	// The words end, and say what to do.
	expect(message).toMatch(/[^.]\.$/);
});

test('spending limits that can be used', async () => {
	const policy = {
		allowedContracts: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
		allowedFunctions: 'transfer(address to, uint256 amount), 0x095ea7b3',
		allowedRecipients: `DISCORD-80351110224678912, 0x${'ab'.repeat(20)}`,
		amountLimits: `250.5 0x${'ab'.repeat(20)}\n\n0 0x${'cd'.repeat(20)}`,
		maxValuePerCall: '0.1 ether',
		maxValuePerExecution: '0',
	};
	expect(await tester.test({ ...service.credential(), ...policy })).toMatchObject({
		status: 'OK',
	});
});

test('n8n takes the test of the node that checks the policy', async () => {
	// As its CredentialsTester does: the first node that names a test, in the order in which they are loaded.
	const { supportedNodes = [] } = tester.nodeTypes.credentialType('walletServiceApi');
	expect(supportedNodes).toEqual(['walletService', 'walletServiceTrigger']);
	const tests = supportedNodes.map((name) => {
		const node = tester.nodeTypes.getByNameAndVersion(`n8n-nodes-wallet-service.${name}`);
		const { testedBy } =
			node.description.credentials?.find((one) => one.name === 'walletServiceApi') ?? {};
		return typeof testedBy === 'string' && node.methods?.credentialTest?.[testedBy];
	});
	expect(tests).toEqual([expect.any(Function), expect.any(Function)]);
	expect(tests[0]).toBe(tester.method);
});
