import { MaxUint256, parseEther } from 'ethers';
import { useService, type Username } from '../support/sandbox/service.mts';

const sandbox = useService();

const write = async (username: Username, abi: string, args: string[], value?: string) =>
	(await sandbox().write(username, 'shapes', abi, args, { value })).data;

test('a success has the fields of the interface, and the transaction is on the chain', async () => {
	const { chain, contracts, user } = sandbox();
	const answer = await write('Nelly', 'store(uint256) public returns (uint256 previous)', ['77']);
	expect(answer).toEqual({
		status: 'SUCCESS',
		hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
		explorerUrl: expect.stringContaining(`/explorer/tx/${answer.hash}`),
		tx: expect.objectContaining({ type: 2, chainId: 31337 }),
	});
	const { hash, nonce, data } = (await chain.getTransaction(answer.hash)) ?? {};
	const own = { from: user('Nelly').address, to: contracts.shapes, value: { hex: '0x00' } };
	expect(answer.tx).toMatchObject({ hash, nonce, data, ...own });
	expect((await chain.getTransactionReceipt(answer.hash))?.status).toBe(1);
	const readBack = await sandbox().read('Nelly', 'shapes', 'stored() view returns (uint256)');
	expect(readBack.data.response.hex).toBe('0x4d');
});

const PAYING = ['pay()', 'pay() public returns (uint256)', 'function pay() external payable'];

test.each(PAYING)('native coin is sent along with "%s"', async (abi) => {
	const { chain, contracts } = sandbox();
	const before = await chain.getBalance(contracts.shapes);
	const { status, tx } = await write('Nelly', abi, [], '1000000000000000001');
	expect(status).toBe('SUCCESS');
	expect(tx.value.hex).toBe('0x0de0b6b3a7640001');
	expect(await chain.getBalance(contracts.shapes)).toBe(before + parseEther('1') + 1n);
});

test.each([
	['failWithReason(string)', ['no'], '0', 'no'],
	['failWithPanic(uint256)', ['0'], '0', 'Panic due to DIVIDE_BY_ZERO(18)'],
	['failSilently()', [], '0', 'The contract reverted without a reason'],
	['store(uint256) payable', ['1'], '1', 'The contract reverted without a reason'],
])(
	'%s with %j and %s wei is refused with the reason, and not sent',
	async (abi, args, value, error) => {
		const { chain, user } = sandbox();
		const before = await chain.getTransactionCount(user('Nelly').address);
		expect(await write('Nelly', abi, args, value)).toEqual({ status: 'FAILED', error });
		expect(await chain.getTransactionCount(user('Nelly').address)).toBe(before);
	},
);

test('the custom errors of the contracts are translated', async () => {
	const { user } = sandbox();
	const args = [user('Nelly').address, '5'];
	const { data } = await sandbox().write('newcomer', 'usd', 'transfer(address,uint256)', args);
	const sender = user('newcomer').address;
	const error = `ERC20 insufficient balance: sender ${sender}, balance 0, needed 5`;
	expect(data).toEqual({ status: 'FAILED', error });
});

test('more native coin than the wallet has is refused', async () => {
	const { status, error } = await write('mika_dev', 'pay()', [], parseEther('1000').toString());
	expect(status).toBe('FAILED');
	expect(error).toMatch(/Amount exceeds your current balance of \d+/);
});

test('an address without a contract is refused', async () => {
	const { address } = sandbox().user('Nelly');
	const { data } = await sandbox().write('Nelly', 'shapes', 'a()', [], { address });
	expect(data).toEqual({ status: 'FAILED', error: `There is no contract at ${address}` });
});

test.each<[field: string, abi: string, value: unknown]>([
	...['', '-1', '1.5', '1e18', '0x10', '1 ether', String(MaxUint256 + 1n), 5].map(
		(value) => ['value', 'pay()', value] as [string, string, unknown],
	),
	['abi', 'stored() view returns (uint256)', undefined],
	['abi', 'nothing() pure', undefined],
])('a wrong %s is a 400 that names the field: %s with the value %j', async (field, abi, value) => {
	const answer = await sandbox().write('Nelly', 'shapes', abi, undefined, { value });
	expect(answer).toMatchObject({ status: 400, data: { code: 'invalid_request', field } });
});

test('50 writes of one wallet at once have 50 nonces without a gap, and all succeed', async () => {
	const { chain, user } = sandbox();
	const { address } = user('StormRider');
	const first = await chain.getTransactionCount(address);
	const indexes = Array.from({ length: 50 }, (_unused, index) => index);
	const answers = await Promise.all(
		indexes.map((index) => write('StormRider', 'mark(uint256)', [`${index}`])),
	);
	const nonces = answers.map(({ tx }) => tx.nonce).sort((a, b) => a - b);
	expect(nonces).toEqual(indexes.map((index) => first + index));
	const receipts = await Promise.all(answers.map(({ hash }) => chain.getTransactionReceipt(hash)));
	expect(receipts.filter((receipt) => receipt?.status === 1)).toHaveLength(50);
	expect(await chain.getTransactionCount(address)).toBe(first + 50);
});

test('a refused write in between leaves no gap', async () => {
	const answers = await Promise.all([
		write('anna-k', 'mark(uint256)', ['1']),
		write('anna-k', 'failWithReason(string)', ['no']),
		write('anna-k', 'mark(uint256)', ['2']),
	]);
	expect(answers.map(({ status }) => status)).toEqual(['SUCCESS', 'FAILED', 'SUCCESS']);
	expect(Math.abs(answers[0].tx.nonce - answers[2].tx.nonce)).toBe(1);
});

test('several wallets with little or no coin write at once, and receive their gas just in time', async () => {
	const { chain, user } = sandbox();
	const { address } = user('newcomer');
	expect(await chain.getBalance(address)).toBe(0n);
	const usernames: Username[] = ['newcomer', 'anna-k', 'StormRider', 'mika_dev', 'Rahul Sen'];
	const answers = await Promise.all(
		usernames.flatMap((username) =>
			[1, 2, 3].map((n) => write(username, 'mark(uint256)', [`${n}`])),
		),
	);
	expect(answers.every(({ status }) => status === 'SUCCESS')).toBe(true);
	expect(await chain.getBalance(address)).toBeGreaterThan(0n);
	expect(await chain.getTransactionCount(address)).toBe(3);
});
