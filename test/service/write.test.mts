import { Interface, MaxUint256, parseEther } from 'ethers';
import { useService, type Username } from '../support/sandbox/service.mts';

const sandbox = useService();

async function write(username: Username, abi: string, args: string[], value?: string) {
	const { as, contracts } = sandbox();
	const body = { address: contracts.shapes, abi, args, ...(value === undefined ? {} : { value }) };
	return (await as(username).post('/v1/contracts/method/write', body)).data;
}

test('a success has the fields of the interface, and the transaction is on the chain', async () => {
	const { chain, contracts, user } = sandbox();
	const answer = await write('Nelly', 'store(uint256) public returns (uint256 previous)', ['77']);
	expect(answer).toEqual({
		status: 'SUCCESS',
		hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
		explorerUrl: expect.stringContaining(`/explorer/tx/${answer.hash}`),
		tx: expect.objectContaining({ type: 2, chainId: 31337 }),
	});
	const onChain = await chain.getTransaction(answer.hash);
	expect(answer.tx).toMatchObject({
		hash: onChain?.hash,
		from: user('Nelly').address,
		to: contracts.shapes,
		nonce: onChain?.nonce,
		data: onChain?.data,
		value: { hex: '0x00' },
	});
	const receipt = await chain.getTransactionReceipt(answer.hash);
	expect(receipt?.status).toBe(1);
	const readBack = await sandbox().as('Nelly').post('/v1/contracts/method/read', {
		address: contracts.shapes,
		abi: 'stored() view returns (uint256)',
	});
	expect(readBack.data.response.hex).toBe('0x4d');
});

test.each(['pay()', 'pay() public returns (uint256)', 'function pay() external payable'])(
	'native coin is sent along with "%s"',
	async (abi) => {
		const { chain, contracts } = sandbox();
		const before = await chain.getBalance(contracts.shapes);
		const { status, tx } = await write('Nelly', abi, [], '1000000000000000001');
		expect(status).toBe('SUCCESS');
		expect(tx.value.hex).toBe('0x0de0b6b3a7640001');
		expect(await chain.getBalance(contracts.shapes)).toBe(before + parseEther('1') + 1n);
	},
);

test('the arguments arrive exactly', async () => {
	const { chain } = sandbox();
	const abi = 'anything((uint256 id, string[] tags)[], bytes, int128)';
	const args = ['[{"id": 123456789012345678901234567890, "tags": ["ä", ""]}]', '0x0102', '-1'];
	const { hash } = await write('Nelly', abi, args);
	const receipt = await chain.getTransactionReceipt(hash);
	const expected = new Interface([`function ${abi}`]).encodeFunctionData('anything', [
		[[123456789012345678901234567890n, ['ä', '']]],
		'0x0102',
		-1n,
	]);
	const echo = new Interface(['event Echo(bytes data)']).parseLog(
		receipt?.logs[0] ?? { topics: [], data: '0x' },
	);
	expect(echo?.args.data).toBe(`0x${expected.slice(10)}`);
});

test.each([
	['failWithReason(string)', ['no'], '0', 'no'],
	['failWithPanic(uint256)', ['0'], '0', 'Panic due to DIVIDE_BY_ZERO(18)'],
	['failSilently()', [], '0', 'The contract reverted without a reason'],
	['store(uint256) payable', ['1'], '1', 'The contract reverted without a reason'],
])(
	'%s with %j and %s wei is refused in words, and nothing is sent',
	async (abi, args, value, error) => {
		const { chain, user } = sandbox();
		const before = await chain.getTransactionCount(user('Nelly').address);
		expect(await write('Nelly', abi, args, value)).toEqual({ status: 'FAILED', error });
		expect(await chain.getTransactionCount(user('Nelly').address)).toBe(before);
	},
);

test('the custom errors of the contracts are put into words', async () => {
	const { as, contracts, user } = sandbox();
	const { data } = await as('newcomer').post('/v1/contracts/method/write', {
		address: contracts.usd,
		abi: 'transfer(address,uint256)',
		args: [user('Nelly').address, '5'],
	});
	const sender = user('newcomer').address;
	expect(data).toEqual({
		status: 'FAILED',
		error: `ERC20 insufficient balance: sender ${sender}, balance 0, needed 5`,
	});
});

test('more native coin than the wallet has is refused', async () => {
	const { status, error } = await write('mika_dev', 'pay()', [], parseEther('1000').toString());
	expect(status).toBe('FAILED');
	expect(error).toMatch(/Amount exceeds your current balance of \d+/);
});

test('a contract that is not there is refused', async () => {
	const { as, user } = sandbox();
	const address = user('Nelly').address;
	const { data } = await as('Nelly').post('/v1/contracts/method/write', { address, abi: 'a()' });
	expect(data).toEqual({ status: 'FAILED', error: `There is no contract at ${address}` });
});

test('an empty wallet gets its gas just in time', async () => {
	const { chain, user } = sandbox();
	const { address } = user('newcomer');
	expect(await chain.getBalance(address)).toBe(0n);
	const answer = await write('newcomer', 'store(uint256)', ['1']);
	expect(answer.status).toBe('SUCCESS');
	expect(await chain.getBalance(address)).toBeGreaterThan(0n);
	expect(await chain.getTransactionCount(address)).toBe(1);
});

test.each(['', '-1', '1.5', '1e18', '0x10', '1 ether', (MaxUint256 + 1n).toString(), 5])(
	'the value %j is a 400 that names the field',
	async (value) => {
		const { as, contracts } = sandbox();
		const body = { address: contracts.shapes, abi: 'pay()', value };
		const { status, data } = await as('Nelly').post('/v1/contracts/method/write', body);
		expect(status).toBe(400);
		expect(data).toMatchObject({ code: 'invalid_request', field: 'value' });
	},
);

test.each(['stored() view returns (uint256)', 'nothing() pure'])(
	'the function "%s" is for reading',
	async (abi) => {
		const { as, contracts } = sandbox();
		const body = { address: contracts.shapes, abi };
		const { status, data } = await as('Nelly').post('/v1/contracts/method/write', body);
		expect(status).toBe(400);
		expect(data).toMatchObject({ code: 'invalid_request', field: 'abi' });
	},
);

test('50 writes of one wallet at once have 50 nonces without a gap, and all succeed', async () => {
	const { chain, user } = sandbox();
	const { address } = user('StormRider');
	const first = await chain.getTransactionCount(address);
	const answers = await Promise.all(
		Array.from({ length: 50 }, (_unused, index) =>
			write('StormRider', 'mark(uint256)', [`${index}`]),
		),
	);
	const nonces = answers.map(({ tx }) => tx.nonce).sort((a, b) => a - b);
	expect(nonces).toEqual(Array.from({ length: 50 }, (_unused, index) => first + index));
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

test('several empty or poor wallets write at once', async () => {
	const usernames: Username[] = ['newcomer', 'anna-k', 'StormRider', 'mika_dev', 'Rahul Sen'];
	const answers = await Promise.all(
		usernames.flatMap((username) =>
			[1, 2, 3].map((n) => write(username, 'mark(uint256)', [`${n}`])),
		),
	);
	expect(answers.every(({ status }) => status === 'SUCCESS')).toBe(true);
});
