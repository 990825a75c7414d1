/** n8n has one thread: while a run reads many items or long arguments, n8n does its other work in between. */
import { turnsDuring } from '../support/turns.mts';
import { storeCall } from './support/contract-calls.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { BOB, CONTRACT } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const ROWS = 300;
/** Turns of the event loop that so many rows are worth: ten rows are a few milliseconds of work. */
const TURNS = ROWS / 10;
const SEND = sendOf({ amount: '={{ $json.amount }}', recipient: BOB.id });

const node = useNode();
const items = Array.from({ length: ROWS }, (_, index) => ({
	amount: index === ROWS - 1 ? 'none' : '0.01',
}));

test('the check of a list', async () => {
	const turns = await turnsDuring(async () => {
		expect((await node.refusal(SEND, { items })).message).toContain(`1 of ${ROWS} cannot be sent`);
	});
	expect(node.service.writes).toEqual([]);
	expect(turns).toBeGreaterThanOrEqual(TURNS);
});

test('a list of 1 MB in a write is refused before most of it is read', async () => {
	const args = JSON.stringify([Array<number>(499_000).fill(1)]);
	const write = storeCall(CONTRACT, { abi: 'f(uint256[] ids)', args });
	expect((await node.refusal(write)).message).toContain('more than a transaction can hold');
});

const TYPES = ['address', 'uint256', 'bytes32'].map((type, index) => ({ name: `a${index}`, type }));
const inputs = TYPES.map(({ name, type }) => `${type} ${name}`).join();
const NAMES = Array.from({ length: 4_000 }, (_, index) => `f${index}`);

test.each([
	['JSON', JSON.stringify(NAMES.map((name) => ({ type: 'function', name, inputs: TYPES })))],
	['lines', NAMES.map((name) => `function ${name}(${inputs})`).join('\n')],
	['a script', `const abi = [${NAMES.map((name) => `'function ${name}(${inputs})'`).join()}];`],
])('an ABI of 4,000 functions as %s', async (_form, contractAbi) => {
	const form = { functionSource: 'contractAbi', contractAbi, contractFunction: 'none()' };
	const turns = await turnsDuring(async () => {
		expect((await node.refusal(storeCall(CONTRACT, form))).message).toContain('no function "none');
	});
	// 100 functions are a few milliseconds of work.
	expect(turns).toBeGreaterThanOrEqual(NAMES.length / 100);
});

test('a long row is no reason to stop n8n', async () => {
	const rows = [{ amount: 'none', note: 'x'.repeat(8_000_000) }];
	const turns = await turnsDuring(async () => await node.refusal(SEND, { items: rows }));
	expect(turns).toBeGreaterThanOrEqual(80);
});
