/** The stop button and writes: what was submitted stands in n8n's log, and what waited is not sent. */
import { done, hashOf } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { CONTRACT } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

test('what was submitted is in the log, and what waited is not sent', async () => {
	const { service, log } = node;
	service.answer(done(1), done(2), 'hold');
	const items = [{}, {}, {}, {}];
	await node.run(storeCall(CONTRACT), { items, cancelWhen: service.received(3) });
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
	const { service } = node;
	service.answer('hold');
	const first = node.run(storeCall(CONTRACT, { options: { timeout: 2 } }));
	await service.received(1);
	// The second execution reads its parameters, and then waits behind the first one.
	let isRead: () => void = () => undefined;
	const cancelWhen = new Promise<void>((resolve) => (isRead = resolve));
	const variables = {
		get number() {
			setImmediate(isRead);
			return '2';
		},
	};
	const args = '={{ [$vars.number] }}';
	const second = node.run(storeCall(CONTRACT, { args }), { variables, cancelWhen });
	await Promise.all([first, second]);
	expect(service.writes).toHaveLength(1);
});
