/** A summary names the network and whose wallet pays, where the service says so: test and real money do not look alike. */
import type { IDataObject } from 'n8n-workflow';

import { storeCall } from './support/contract-calls.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, CONTRACT } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const SEND = sendOf({ amount: '5', recipient: BOB.id });
const STORE = storeCall(CONTRACT);

async function summaryOf(description: IDataObject, parameters: IDataObject): Promise<string> {
	node.service.description = description;
	const [item] = await node.items(parameters);
	return String(item?.summary);
}

const PREVIEW = { preview: true };
const named = (username: string) => ({ network: 'sepolia', user: { id: 'GITHUB-7', username } });

test.each<[what: string, description: IDataObject, parameters: IDataObject, end: string]>([
	['a payment', { network: 'sepolia' }, SEND, `, on sepolia by ${ALICE.id}`],
	['a call', { network: 'sepolia' }, STORE, `, on sepolia by ${ALICE.id}`],
	[
		'the user whose token it is',
		{ network: 'polygon-amoy', user: { id: 'GITHUB-7' } },
		SEND,
		', on polygon-amoy by GITHUB-7',
	],
	['the user by name', named('Nelly'), SEND, ', on sepolia by Nelly'],
	['a name of a stranger', named('<b>x, on mainnet'), SEND, ', on sepolia by b x on mainnet'],
	['a user without a visible name', named('\u202e'), SEND, ', on sepolia by GITHUB-7'],
	['a call, and a name', named('Nelly'), STORE, ', on sepolia by Nelly'],
	['a preview', { network: 'sepolia' }, { ...SEND, ...PREVIEW }, ', on sepolia'],
	[
		'a preview of a call',
		{ network: 'sepolia' },
		{ ...STORE, ...PREVIEW },
		`, on sepolia by ${ALICE.id}. Nothing was sent.`,
	],
	['words of a stranger', { network: 'b<a>d, "x"' }, SEND, `, on b a d "x" by ${ALICE.id}`],
])('%s is named: %j', async (_what, description, parameters, end) => {
	const summary = await summaryOf(description, parameters);
	expect(summary.slice(-end.length)).toBe(end);
});

test.each([{}, { network: '' }, { network: 5 }, { network: 'chain-31337' }, { network: '31337' }])(
	'without a name of the network, nothing is added: %j',
	async (description) => {
		const user = { id: 'GITHUB-7' };
		expect(await summaryOf({ ...description, user }, SEND)).toMatch(
			/^Submitted: 5 SUSD to \S+ \(\S+\)$/,
		);
	},
);

test('a preview states who pays by name, and also the ID for the next node', async () => {
	const user = { id: ALICE.id, username: 'Nelly' };
	expect(await summaryOf({ network: 'sepolia', user }, { ...SEND, ...PREVIEW })).toMatch(
		/^Would send 5 SUSD from Nelly to /,
	);
	const [raw] = await node.items({ ...SEND, ...PREVIEW, simplify: false });
	expect(raw).toMatchObject({ userId: ALICE.id, userName: 'Nelly' });
});

test('the service is asked once for all items, also if they are only tried', async () => {
	let asked = 0;
	Object.defineProperty(node.service, 'description', {
		get: () => ((asked += 1), { network: 'sepolia' }),
	});
	const items = [{}, {}, {}];
	for (const more of [PREVIEW, {}]) {
		const output = await node.items({ ...SEND, ...more }, { items });
		const summaries = output.map(({ summary }) => String(summary));
		expect(summaries.filter((summary) => summary.includes(', on sepolia'))).toHaveLength(3);
	}
	expect(asked).toBe(1);
});
