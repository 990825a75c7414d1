/** Data of a stranger's contract: whatever it is, answers contain the rest, and a write that reverts is refused. */
import {
	AbiCoder,
	concat,
	encodeBytes32String,
	hexlify,
	Interface,
	id,
	toBeHex,
	toUtf8Bytes,
	zeroPadValue,
	type BytesLike,
} from 'ethers';
import type { HistoryEntry } from '../../service/src/schemas/history.mts';
import { compileContracts } from '../../sandbox/src/deployment/compile.mts';
import { userPath, useService } from '../support/sandbox/service.mts';

const sandbox = useService();

const STRANGER = '0x000000000000000000000000000000000000dEaD';
const TRANSFER = id('Transfer(address,address,uint256)');
const SINGLE = id('TransferSingle(address,address,address,uint256,uint256)');
const BATCH = id('TransferBatch(address,address,address,uint256[],uint256[])');

const word = (value: bigint | number) => toBeHex(value, 32);
const words = (...values: (bigint | number)[]) => concat(values.map(word));
const encode = (types: string[], values: unknown[]) =>
	AbiCoder.defaultAbiCoder().encode(types, values);
const text = (bytes: BytesLike) => encode(['bytes'], [bytes]);

let contracts = 0;

/** Puts a hostile contract on the chain. */
async function deploy(answers: Record<string, string> = {}): Promise<string> {
	const { chain } = sandbox();
	const address = toBeHex(0xbad0_0000 + contracts++, 20);
	const { Hostile } = await compileContracts();
	const code = await chain.call({ data: Hostile?.bytecode });
	await chain.send('anvil_setCode', [address, code]);
	for (const [name, data] of Object.entries(answers)) {
		await submit(address, 'setAnswer(bytes4,bytes)', [id(`${name}()`).slice(0, 10), data]);
	}
	return address;
}

async function submit(address: string, abi: string, args: string[]): Promise<string> {
	return await sandbox().submit('Nelly', 'shapes', abi, args, { address });
}

/** Emits a log in a transaction. */
async function log(address: string, topics: string[], data: string): Promise<string> {
	return await submit(address, 'log(bytes32[],bytes)', [JSON.stringify(topics), data]);
}

const wallet = () => zeroPadValue(sandbox().user('newcomer').address, 32);
const stranger = zeroPadValue(STRANGER, 32);

async function history(): Promise<HistoryEntry[]> {
	const { as, user } = sandbox();
	const { status, data } = await as('Nelly').get(userPath(user('newcomer'), '/history'));
	expect(status).toBe(200);
	return data;
}

async function balance(address: string) {
	const { as, user } = sandbox();
	const { status, data } = await as('Nelly').get(userPath(user(), `/balance/${address}`));
	expect(status).toBe(200);
	return data[address.toLowerCase()];
}

const DIRTY = `0x01${'0'.repeat(22)}${STRANGER.slice(2)}`;
const OFFSETS = [64, 128];

test.each<[what: string, topics: () => string[], data: string]>([
	['one indexed address', () => [TRANSFER, wallet()], words(0xdead, 5)],
	['no indexed recipient', () => [TRANSFER, wallet()], '0x'],
	['no data', () => [TRANSFER, wallet(), stranger], '0x'],
	['half a word', () => [TRANSFER, wallet(), stranger], '0x0102'],
	['a recipient of 32 bytes', () => [TRANSFER, wallet(), DIRTY], word(5)],
	['an NFT from 32 bytes', () => [TRANSFER, DIRTY, wallet(), word(5)], '0x'],
	['one item without recipient', () => [SINGLE, stranger, wallet()], words(7, 1)],
	['one item without data', () => [SINGLE, stranger, wallet(), stranger], '0x'],
	['one item without amount', () => [SINGLE, stranger, wallet(), stranger], word(7)],
	['an operator of 32 bytes', () => [SINGLE, DIRTY, wallet(), DIRTY], words(7, 1)],
	['a batch without data', () => [BATCH, stranger, wallet(), stranger], '0x'],
	['a batch without arrays', () => [BATCH, stranger, wallet(), stranger], words(...OFFSETS)],
	[
		'a batch of endless arrays',
		() => [BATCH, stranger, wallet(), stranger],
		words(...OFFSETS, 2n ** 255n, 1, 2n ** 32n, 1),
	],
	[
		'a batch with fewer amounts than items',
		() => [BATCH, stranger, wallet(), stranger],
		encode(['uint256[]', 'uint256[]'], [[1, 2], [3]]),
	],
	['a batch far away', () => [BATCH, stranger, wallet(), stranger], words(2n ** 200n, 2n ** 64n)],
])('%s: the log is left out, of the history and the page', async (_what, topics, data) => {
	const { anonymous } = sandbox();
	const before = await history();
	const hash = await log(await deploy(), topics(), data);
	expect(await history()).toEqual(before);
	expect((await anonymous.get(`/explorer/tx/${hash}`)).status).toBe(200);
});

test('a log without topics does not disturb the page of a transaction', async () => {
	const hash = await log(await deploy(), [], '0x');
	expect((await sandbox().anonymous.get(`/explorer/tx/${hash}`)).status).toBe(200);
});

const LONG = hexlify(toUtf8Bytes('long'.repeat(500)));
const CLEFS = toUtf8Bytes('𝄞'.repeat(100));

test.each<[what: string, answers: Record<string, string>, shown: object]>([
	['nothing at all', {}, { name: '', symbol: '', decimals: 0, formatted: 5 }],
	[
		'no UTF-8',
		{ name: text('0x61ff'), symbol: text('0xc341') },
		{ name: 'a\ufffd', symbol: '\ufffdA' },
	],
	['text of 32 bytes', { symbol: encodeBytes32String('MKR') }, { symbol: 'MKR' }],
	['32 bytes without text', { symbol: word(2n ** 256n - 1n) }, { symbol: '\ufffd'.repeat(32) }],
	['NUL bytes', { symbol: text('0x41000042') }, { symbol: 'AB' }],
	['half a word', { symbol: '0x4142', decimals: '0x06' }, { symbol: '', decimals: 0 }],
	[
		'text that is not there',
		{ symbol: words(32, 2n ** 255n), name: words(2n ** 255n, 1) },
		{ symbol: '', name: '' },
	],
	['long text', { symbol: text(LONG) }, { symbol: 'long'.repeat(64) }],
	[
		'long text of long characters',
		{ name: text(concat(['0x61', CLEFS])) },
		{ name: `a${'𝄞'.repeat(63)}` },
	],
	['80 decimals', { decimals: word(80) }, { decimals: 80, formatted: 5e-80 }],
	['81 decimals', { decimals: word(81) }, { decimals: 81, formatted: 5e-81 }],
	['255 decimals', { decimals: word(255) }, { decimals: 255, formatted: 5e-255 }],
	['256 decimals', { decimals: word(256) }, { decimals: 0, formatted: 5 }],
	['endless decimals', { decimals: word(2n ** 256n - 1n) }, { decimals: 0, formatted: 5 }],
])('a token that reports %s is listed, and has a balance', async (_what, answers, shown) => {
	const address = await deploy(answers);
	await submit(address, 'setAnswer(bytes4,bytes)', [
		id('balanceOf(address)').slice(0, 10),
		word(5),
	]);
	const hash = await log(address, [TRANSFER, stranger, wallet()], word(5));
	const [entry] = await history();
	expect(entry).toMatchObject({ hash, amount: { valueBn: { hex: '0x05' }, ...shown } });
	const { decimals, symbol, name, formatted, balance: units } = await balance(address);
	const amount = { decimals: Number(decimals), symbol, name, formatted: Number(formatted) };
	expect(amount).toMatchObject(shown);
	expect(units).toBe('5');
	expect((await sandbox().anonymous.get(`/explorer/tx/${hash}`)).data).toContain(symbol);
});

test('a token whose functions never end is listed', async () => {
	const address = await deploy();
	const hash = await log(address, [TRANSFER, stranger, wallet()], word(5));
	await sandbox().chain.send('anvil_setCode', [address, '0x5b600056']);
	const [entry] = await history();
	expect(entry).toMatchObject({ hash, amount: { symbol: '', decimals: 0, formatted: 5 } });
});

const ERROR = id('Error(string)').slice(0, 10);
const PANIC = id('Panic(uint256)').slice(0, 10);
const TOKENS = new Interface(['error ERC20InsufficientBalance(address a, uint256 b, uint256 c)']);
const INSUFFICIENT = TOKENS.getError('ERC20InsufficientBalance')?.selector ?? '';

const NO_REASON = 'The contract reverted without a reason';
const unknown = (data: string) => `The contract reverted with an unknown error: ${data}`;
const raw = (data: string): [string, string] => [data, unknown(data)];
const reason = (bytes: BytesLike) => concat([ERROR, text(bytes)]);

test.each<[data: string, error: string]>([
	['0x', NO_REASON],
	[reason('0x'), NO_REASON],
	raw('0x01'),
	raw('0x01020304'),
	raw(reason('0x61ff')),
	raw(ERROR),
	raw(concat([ERROR, words(32, 2n ** 64n)])),
	raw(concat([ERROR, words(2n ** 255n, 1)])),
	raw(concat([ERROR, words(32, 100), '0x61'])),
	raw(PANIC),
	raw(concat([PANIC, '0x01'])),
	[concat([PANIC, word(2n ** 256n - 1n)]), expect.stringContaining('Panic due to UNKNOWN')],
	raw(INSUFFICIENT),
	raw(concat([INSUFFICIENT, words(2n ** 255n, 1, 1)])),
	[reason(toUtf8Bytes('nonce too low')), 'nonce too low'],
	[reason(toUtf8Bytes('insufficient funds')), 'insufficient funds'],
	[reason(LONG), `${'long'.repeat(250)}...`],
	[`0x${'ab'.repeat(3000)}`, expect.stringMatching(/^The contract reverted.*0x[ab]{900,}\.\.\.$/)],
])('the revert %s of a write is refused, as that of a read', async (data, error) => {
	const address = await deploy();
	const { read, write } = sandbox();
	const refused = { status: 200, data: { status: 'FAILED', error } };
	expect(await write('Nelly', 'shapes', 'fail(bytes)', [data], { address })).toMatchObject(refused);
	expect(await read('Nelly', 'shapes', 'fail(bytes)', [data], { address })).toMatchObject(refused);
});

test('a write for which an endpoint runs out of gas is not signed', async () => {
	const address = await deploy();
	const { status, data } = await sandbox().write('Nelly', 'shapes', 'burn()', [], { address });
	expect({ status, code: data.code }).toEqual({ status: 424, code: 'chain_unavailable' });
});

test.each<[what: string, code: string | undefined, error: string]>([
	['that grows when it is read', undefined, 'does not fit the return types'],
	['of more than 128 kB', '0x620200205ff3', 'has more than 131072 bytes'],
	['of two million bytes', '0x621e84805ff3', 'has more than 131072 bytes'],
])('an answer %s is not decoded', async (_what, code, error) => {
	// Thirty lists, which are all the same list of thirty numbers.
	const [offset, number] = [word(30 * 32), word(7)].map((value) => Array(30).fill(value));
	const lists = concat([word(32), word(30), ...offset, word(30), ...number]);
	const address = await deploy({ lists });
	if (code !== undefined) await sandbox().chain.send('anvil_setCode', [address, code]);
	const abi = 'lists() view returns (uint256[][])';
	const { data } = await sandbox().read('Nelly', 'shapes', abi, [], { address });
	expect(data).toEqual({ status: 'FAILED', error: expect.stringContaining(error) });
});
