/** History: Find Transfer by the hash of a transaction that a copy with a higher fee replaced. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf, json } from './support/answers.mts';
import { ALICE, BOB, entryOf, TOKEN } from './support/scripted-world.mts';
import { useNode, waited } from './support/use-node.mts';

const node = useNode();

const [SENT, MINED] = [hashOf(7), hashOf(8)];
const FIND = { resource: 'history', operation: 'find', transactionHash: SENT };
const ANSWER = {
	hash: SENT,
	minedHash: MINED,
	blockNumber: 1234,
	confirmations: 3,
	final: false,
	status: 'SUCCESS',
	transfers: [entryOf({ hash: MINED })],
};
const PENDING = { ...ANSWER, status: 'PENDING', minedHash: undefined, confirmations: 0 };

/** The service's answers about the transaction, the last one again and again. */
function answerWith(...answers: IDataObject[]): void {
	node.service.script = ({ path }) => {
		if (!path.startsWith('/v1/transactions/')) return undefined;
		return json((answers.length > 1 ? answers.shift() : answers[0]) ?? {});
	};
}

beforeEach(() => {
	node.service.description = { transactions: true };
	node.service.looks = [[{ hash: MINED }, { hash: hashOf(3) }]];
	answerWith(ANSWER);
});

test('its copy has arrived; the item keeps the hash of the search', async () => {
	const arrived = {
		summary: expect.stringMatching(/^Arrived: 12.5 SUSD to Rahul/),
		seen: true,
		matchedBy: 'hash',
		hash: SENT,
		minedHash: MINED,
		explorerUrl: `http://127.0.0.1/tx/${MINED}`,
	};
	expect(await node.outputs(FIND)).toMatchObject([{ ...arrived, userId: ALICE.id }]);
	expect(await node.outputs({ ...FIND, simplify: false })).toMatchObject([arrived]);
	answerWith({ ...ANSWER, minedHash: MINED.toUpperCase().replace('X', 'x') });
	expect(await node.outputs(FIND)).toMatchObject([arrived]);
});

test('a transaction in a block under its own hash has no "minedHash"', async () => {
	answerWith({ ...ANSWER, minedHash: SENT });
	expect(await node.outputs(FIND)).toMatchObject([{ seen: false, hash: SENT }]);
	node.service.looks = [[{ hash: SENT }]];
	const [item] = await node.outputs(FIND);
	expect(item).toMatchObject({ seen: true, hash: SENT });
	expect(item).not.toHaveProperty('minedHash');
});

test('the wait goes on until the history lists the copy', async () => {
	node.service.looks = [[], [], [{ hash: MINED }]];
	answerWith(PENDING, ANSWER);
	const [item] = await node.items({ ...FIND, waitUpTo: 20 });
	expect(item).toMatchObject({ seen: true, minedHash: MINED, checkedFor: waited(5) });
});

test('of several transfers of the copy, those count that match the values entered', async () => {
	const [one, other] = ['0xbebc20', '0x0f4240'];
	node.service.looks = [
		[
			{ hash: MINED, hex: one },
			{ hash: MINED, hex: other },
		],
	];
	expect(await node.outputs({ ...FIND, amount: '1' })).toMatchObject([
		{ seen: true, amount: '1', minedHash: MINED },
	]);
	const token = { __rl: true, mode: 'address', value: TOKEN };
	expect(await node.outputs({ ...FIND, amount: '2', token })).toMatchObject([
		{ seen: false, differs: ['amount'], hash: SENT },
	]);
	expect(await node.outputs(FIND, [{ to: BOB.address, amount: '12.5' }])).toMatchObject([
		{ seen: true, amount: '12.5' },
	]);
});

test.each(['REVERTED', 'CANCELLED', 'FOREIGN'])(
	'%s moved nothing, whatever its copy is called',
	async (status) => {
		answerWith({ ...ANSWER, status, revertReason: 'No gas' });
		expect(await node.outputs(FIND)).toMatchObject([{ seen: false, status, hash: SENT }]);
	},
);
