/** What the test of a credential states about its spending limits. */
import { CredentialTester } from './support/credential-tester.mts';
import { useService } from '../support/sandbox/service.mts';

const service = useService();
let tester: CredentialTester;
beforeAll(async () => {
	tester = await CredentialTester.load();
});

const TOKEN = `0x${'ab'.repeat(20)}`;
const NOT_A_LIMIT = /is not an amount and the address of its token/;

/** What a person enters by mistake: a field as the form stores it, the entry, and what the test says of it. */
test.each<[field: string, entry: string, said: RegExp]>([
	['allowWrites', 'yes', /"yes" is not true or false/],
	['allowedContracts', 'SUSD', /"SUSD" is not an address/],
	['allowedContracts', 'DISCORD-80351110224678912', /is not an address/],
	['allowedContracts', '0x5FbDB2315678afecb367f032d93F642f64180aa', /39 hexadecimal digits/],
	['allowedContracts', '0x5FbDB2315678afecb367f032d93F642f64180aA3', /has a wrong checksum/],
	['allowedContracts', `${TOKEN}, all others`, /"all others" is not an address/],
	['allowedFunctions', 'send money', /"send money"/],
	['allowedFunctions', 'transfer', /"transfer"/],
	['allowedFunctions', '0xa9059c', /"0xa9059c"/],
	['allowedFunctions', 'transfer(adress,uint256)', /"adress"/],
	['allowedRecipients', 'Nelly', /"Nelly" is neither a user ID nor a wallet address/],
	['allowedRecipients', 'discord-1', /Write DISCORD-1/],
	['allowedRecipients', `DISCORD-1, ${TOKEN.slice(0, -2)}`, /38 hexadecimal digits/],
	['amountLimits', '250', /"250" is not an amount and the address of its token, such as 250 0x/],
	['amountLimits', TOKEN, NOT_A_LIMIT],
	['amountLimits', `250 SUSD ${TOKEN}`, NOT_A_LIMIT],
	['amountLimits', `0,5 ${TOKEN}`, /"0,5" has a comma/],
	['amountLimits', `-1 ${TOKEN}`, /"-1" is negative/],
	['amountLimits', `1 ${TOKEN}\n2 0x${'AB'.repeat(20)}`, /is not a list with one limit per token/],
	['amountLimits', '5 0x5FbDB2315678afecb367f032d93F642f64180aA3', /has a wrong checksum/],
	['maxValuePerCall', '10', /"10" is not an amount with a unit, such as 0\.1 ether/],
	['maxValuePerCall', '0.5', /"0\.5" has a decimal point but no unit/],
	['maxValuePerCall', '10 SUSD', /"10 SUSD" is not an amount/],
	['maxValuePerCall', '-1 ether', /"-1 ether" is not an amount of 0 or more/],
	['maxValuePerCall', '0.1 gwei wei', /is not an amount/],
	['maxValuePerExecution', 'a little', /"a little" is not an amount/],
	['maxValuePerExecution', '100', /"100" is not an amount with a unit/],
	['maxValuePerExecution', '0.1234567891 gwei', /0\.1234567891 gwei/],
])('spending limits with %s: %j', async (name, entry, said) => {
	const { displayName } = tester.fieldOf(name);
	const { status, message } = await tester.test({ ...service().credential(), [name]: entry });
	expect([status, message.startsWith(`${displayName}: `)]).toEqual(['Error', true]);
	expect(message).toMatch(said);
	// The words end, and say what to do.
	expect(message).toMatch(/[^.]\.$/);
});

test('spending limits that can be used', async () => {
	const policy = {
		allowedContracts: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
		allowedFunctions: 'transfer(address to, uint256 amount), 0x095ea7b3',
		allowedRecipients: `DISCORD-80351110224678912, ${TOKEN}`,
		amountLimits: `250.5 ${TOKEN}\n\n0 0x${'cd'.repeat(20)}`,
		...{ maxValuePerCall: '0.1 ether', maxValuePerExecution: '0' },
	};
	const { status } = await tester.test({ ...service().credential(), ...policy });
	expect(status).toBe('OK');
});

test('n8n takes the test of the node that checks the policy', () => {
	// As its CredentialsTester does: the first node that names a test, in the order in which they are loaded.
	const { supportedNodes = [] } = tester.nodeTypes.credentialType('walletServiceApi');
	expect(supportedNodes).toEqual(['walletService', 'walletServiceTrigger']);
	const tests = supportedNodes.map((name) => {
		const type = `n8n-nodes-wallet-service.${name}`;
		const { description, methods } = tester.nodeTypes.getByNameAndVersion(type);
		const used = description.credentials?.find((one) => one.name === 'walletServiceApi');
		return typeof used?.testedBy === 'string' && methods?.credentialTest?.[used.testedBy];
	});
	expect(tests).toEqual([expect.any(Function), expect.any(Function)]);
	expect(tests[0]).toBe(tester.method);
});
