/** What the service reports about transactions. */
import { Interface, zeroPadValue } from 'ethers';
import { intendedTransfers } from '../../service/src/routes/intended.mts';
import { Dollars } from './support/dollars.mts';
import { Service, useService, type Username } from '../support/sandbox/service.mts';

const sandbox = useService({ SANDBOX_WRITE_KEYS: '1' });
const dollars = new Dollars(sandbox);

const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const look = async (hash: string, name: Username = 'Nelly') =>
	await sandbox().as(name).get(`/v1/transactions/${hash}`);

beforeEach(async () => await dollars.faults.reset());

test('a payment succeeded, with its transfers as the history lists them', async () => {
	const { hash } = await dollars.send('Nelly', 'Rahul Sen', '1250000');
	const { status, data } = await look(hash);
	expect(status).toBe(200);
	expect(data).toEqual({
		hash,
		minedHash: hash,
		status: 'SUCCESS',
		blockNumber: expect.any(Number),
		confirmations: expect.any(Number),
		final: expect.any(Boolean),
		submittedAt: TIME,
		minedAt: TIME,
		...(data.final ? { finalAt: TIME } : {}),
		transfers: [(await dollars.historyOf('Nelly'))[0]],
		explorerUrl: expect.stringContaining(`/explorer/tx/${hash}`),
	});
	expect(data.confirmations).toBeGreaterThan(0);
	expect(data.transfers[0]).toMatchObject({
		to: { username: 'Rahul Sen' },
		amount: { formatted: 1.25 },
	});
	// Whatever the letter case.
	const { data: again } = await look(`0x${hash.slice(2).toUpperCase()}`);
	expect(again).toMatchObject({ hash, status: 'SUCCESS' });
});

test('another caller sees what the chain has', async () => {
	const { hash } = await dollars.send('Nelly', 'Rahul Sen');
	const { data } = await look(hash, 'anna-k');
	expect(data).toMatchObject({ status: 'SUCCESS', minedHash: hash, final: true });
	expect(data.transfers).toHaveLength(1);
	expect(data).not.toHaveProperty('submittedAt');
	const reverted = await look(await starved(), 'anna-k');
	expect(reverted.data).toMatchObject({ status: 'REVERTED', revertReason: expect.any(String) });
});

/** A transaction that has too little gas. */
async function starved(): Promise<string> {
	await dollars.faults.add({ kind: 'revert-transaction', times: 1 });
	return (await dollars.send('Nelly', 'Rahul Sen')).hash;
}

test('a transaction that reverts is reported with the reason and without transfers', async () => {
	const hash = await starved();
	const { data } = await look(hash);
	expect(data).toMatchObject({ hash, status: 'REVERTED', minedHash: HASH, transfers: [] });
	expect(data.revertReason).toBe('The transaction ran out of gas');
	expect(data.intended).toMatchObject([
		{
			from: { username: 'Nelly' },
			to: { username: 'Rahul Sen' },
			amount: { formatted: expect.any(Number), symbol: 'SUSD' },
			hash: data.minedHash,
		},
	]);
	expect((await look(hash, 'anna-k')).data).not.toHaveProperty('intended');
});

const [ANNA, BOB, TOKEN] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`);
const FUNCTIONS = new Interface([
	'function transfer(address to, uint256 amount)',
	'function transferFrom(address from, address to, uint256 amount)',
	'function safeTransferFrom(address from, address to, uint256 id)',
	'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
	'function approve(address spender, uint256 amount)',
	'function pause()',
]);

test.each<[name: string, args: unknown[], amounts: bigint[]]>([
	['transfer', [BOB, 7n], [7n]],
	['safeTransferFrom', [ANNA, BOB, 7n], [1n]],
	['safeBatchTransferFrom', [ANNA, BOB, [1n, 2n], [5n, 6n], '0x'], [5n, 6n]],
	// The number may be the ID of an NFT.
	['transferFrom', [ANNA, BOB, 7n], []],
	['approve', [BOB, 7n], []],
	['pause', [], []],
])('what a call of %s asks for', (name, args, amounts) => {
	const call = { to_address: `${TOKEN}`, data: FUNCTIONS.encodeFunctionData(name, args) };
	const asked = intendedTransfers(call, { from: `${ANNA}`, hash: '0x' });
	expect(asked.map(({ value }) => value)).toEqual(amounts);
	expect(asked).toMatchObject(amounts.map(() => ({ token: TOKEN, from: ANNA, to: BOB })));
});

test('a transaction that neither the service nor the chain knows', async () => {
	await dollars.faults.add({ kind: 'drop-transaction', times: 1 });
	const { hash } = await dollars.send('Nelly', 'Rahul Sen');
	for (const unknown of [hash, zeroPadValue('0x01', 32)]) {
		const error = { code: 'unknown_transaction', field: 'hash' };
		expect(await look(unknown)).toMatchObject({ status: 404, data: error });
	}
});

test.each(['0x12', '0x', 'hash', `${zeroPadValue('0x01', 32)}0`, '%20'])(
	'"%s" is not a hash',
	async (hash) => {
		expect(await look(hash)).toMatchObject({ status: 400, data: { field: 'hash' } });
	},
);

test('a service that knows no keys has no such route', async () => {
	const path = `/v1/transactions/${zeroPadValue('0x01', 32)}`;
	expect((await sandbox().anonymous.get('/v1/service')).data.transactions).toBe(true);
	expect((await sandbox().anonymous.get(path)).status).toBe(401);
	await using other = await Service.start();
	expect((await other.anonymous.get('/v1/service')).data.transactions).toBe(false);
	const answer = await other.as('Nelly').get(path);
	expect(answer).toMatchObject({ status: 404, data: { code: 'unknown_route' } });
});
