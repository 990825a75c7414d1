/** The stop button and writes: what was submitted stands in n8n's log, and what waited is not sent. */
import type { AnsweringService } from './support/answering-service.mts';
import { hashOf, startAnsweringService } from './support/answering-service.mts';
import { Engine } from './support/engine.mts';
import { N8nLog } from './support/n8n-log.mts';

const CONTRACT = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

let engine: Engine;
let service: AnsweringService;
let log: N8nLog;

beforeAll(async () => {
	engine = await Engine.create();
});
beforeEach(async () => {
	log = new N8nLog();
	service = await startAnsweringService();
});
afterEach(async () => {
	log.stop();
	await service.stop();
});

const store = (options = {}) => ({
	parameters: {
		resource: 'contract',
		operation: 'write',
		contractAddress: CONTRACT,
		abi: 'store(uint256)',
		argumentsMode: 'json',
		args: '["1"]',
		options,
	},
	credential: { baseUrl: service.baseUrl, accessToken: 'secret-token', userId: '' },
});

test('what was submitted is in the log, and what waited is not sent', async () => {
	service.answer(
		{ body: { status: 'SUCCESS', hash: hashOf(1) } },
		{ body: { status: 'SUCCESS', hash: hashOf(2) } },
		'hold',
	);
	await engine.run({ ...store(), items: [{}, {}, {}, {}], cancelWhen: service.received(3) });
	while (log.writes().length < 3) await new Promise((resolve) => setImmediate(resolve));
	const lines = log.writes();
	expect(lines).toHaveLength(3);
	expect(lines[0]).toMatch(
		new RegExp(`${hashOf(1)}, item 0, node "Wallet Service", execution \\d+, workflow workflow`),
	);
	expect(lines[1]).toContain(`${hashOf(2)}, item 1`);
	expect(lines[2]).toMatch(/unknown outcome: no hash known, item 2/);
	expect(lines.join()).not.toContain('secret-token');
	expect(service.writes).toHaveLength(3);
});

test('a write that waits for another execution is not sent after the stop', async () => {
	service.answer('hold');
	const first = engine.run(store({ timeout: 2 }));
	await service.received(1);
	// The second execution reads its parameters, and then waits behind the first one.
	let isRead: () => void = () => undefined;
	const read = new Promise<void>((resolve) => (isRead = resolve));
	const variables = {
		get number() {
			setImmediate(isRead);
			return '2';
		},
	};
	const { parameters, credential } = store();
	const second = engine.run({
		parameters: { ...parameters, args: '={{ [$vars.number] }}' },
		credential,
		variables,
		cancelWhen: read,
	});
	await Promise.all([first, second]);
	expect(service.writes).toHaveLength(1);
});
