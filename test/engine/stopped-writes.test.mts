/** The stop button and writes: what was submitted stands in n8n's log, and what waited is not sent. */
import { hashOf } from './support/answering-service.mts';
import { Writing } from './support/writing.mts';

const writing = Writing.prepare();

test('what was submitted is in the log, and what waited is not sent', async () => {
	const { service, log } = writing;
	service.answer(
		{ body: { status: 'SUCCESS', hash: hashOf(1) } },
		{ body: { status: 'SUCCESS', hash: hashOf(2) } },
		'hold',
	);
	const items = [{}, {}, {}, {}];
	await writing.run({}, {}, { items, cancelWhen: service.received(3) });
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
	const { service } = writing;
	service.answer('hold');
	const first = writing.run({ options: { timeout: 2 } });
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
	const args = '={{ [$vars.number] }}';
	const second = writing.run({ args }, {}, { variables, cancelWhen: read });
	await Promise.all([first, second]);
	expect(service.writes).toHaveLength(1);
});
