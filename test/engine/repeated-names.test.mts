/** Data that is inserted into the JSON text of arguments cannot replace another argument. */
import { callOf } from './support/kinds-of-writes.mts';
import { BOB } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const transfer = (args: string) => ({
	...callOf('transfer(address to, uint256 amount)', []),
	args,
});

test.each([
	['an amount', '={"amount": "5", "to": "{{ $json.given }}"}', `${BOB.id}","amount":"1000000`],
	['a recipient', '={"to": "DISCORD-1", "amount": "{{ $json.given }}"}', `5","to" : "${BOB.id}`],
	['escapes', '={"to": "DISCORD-1", "amount": "{{ $json.given }}"}', `5","\\u0074o":"${BOB.id}`],
])('%s that data names again is refused', async (_what, args, given) => {
	const { message } = await node.refusal(transfer(args), { items: [{ given }] });
	expect(message).toMatch(/names an entry twice$/);
});

test('any text can be inserted into a value', async () => {
	const text = '"to": \\ {"a": 1} :';
	const given = JSON.stringify(text).slice(1, -1);
	const call = { ...callOf('note(string text)', []), args: '={"text": "{{ $json.given }}"}' };
	await node.items(call, { items: [{ given }] });
	expect(node.service.writes).toMatchObject([{ args: [text] }]);
});
