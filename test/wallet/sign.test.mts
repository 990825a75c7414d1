/** A signer that signs anything else than it was asked for. */
import { Mnemonic, Transaction, Wallet } from 'ethers';
import { SeedSigner } from '../../service/src/keys/seed.mts';
import type { Signer } from '../../service/src/keys/signer.mts';
import { signChecked, type Unsigned } from '../../service/src/writes/sign.mts';

const key = new Wallet(`0x${'11'.repeat(32)}`);
const other = new Wallet(`0x${'22'.repeat(32)}`);
const wallet = { source: 'seed:0', address: key.address };
const unsigned: Unsigned = {
	to: other.address,
	data: '0x1234',
	value: 5n,
	chainId: 1,
	nonce: 7,
	gasLimit: 30_000n,
	fees: { type: 2, maxFeePerGas: 20n, maxPriorityFeePerGas: 1n },
};

/** Signs with these changes, and claims to have signed with the wallet's key. */
const signerThat = (changes: object, by = key): Signer => ({
	addressOf: async () => key.address,
	sign: async (_source, transaction) => await by.signTransaction({ ...transaction, ...changes }),
});

test('the requested transaction is accepted, of both types', async () => {
	for (const fees of [unsigned.fees, { type: 0, gasPrice: 9n } as const]) {
		const signed = await signChecked(signerThat({}), wallet, { ...unsigned, fees });
		const transaction = Transaction.from(signed.raw);
		expect(transaction).toMatchObject({ nonce: 7, to: other.address, from: key.address });
		expect(transaction.hash).toBe(signed.hash);
	}
});

test.each([
	['chainId', { chainId: 2 }],
	['nonce', { nonce: 8 }],
	['to', { to: key.address }],
	['data', { data: '0x' }],
	['value', { value: 6n }],
	['gasLimit', { gasLimit: 30_001n }],
	['maxFeePerGas', { maxFeePerGas: 21n }],
	['maxPriorityFeePerGas', { maxPriorityFeePerGas: 2n }],
	['type', { type: 0, gasPrice: 20n, maxFeePerGas: null, maxPriorityFeePerGas: null }],
])('another %s is refused', async (field, changes) => {
	const signed = signChecked(signerThat(changes), wallet, unsigned);
	await expect(signed).rejects.toThrow(`The signer changed the ${field} of a transaction`);
});

test('another key, and an access list, are refused', async () => {
	await expect(signChecked(signerThat({}, other), wallet, unsigned)).rejects.toThrow(
		`The signer signed for ${other.address}, not for ${wallet.address}`,
	);
	const accessList = [{ address: key.address, storageKeys: [] }];
	await expect(signChecked(signerThat({ accessList }), wallet, unsigned)).rejects.toThrow(
		'added something',
	);
});

test('the seed signs as ethers does, whatever the sizes of the fields', async () => {
	const { phrase } = Mnemonic.fromEntropy(new Uint8Array(32).fill(0x5c));
	const seed = new SeedSigner(phrase);
	const own = new Wallet(seed.exportKey('seed:0'));
	const numbers = [0n, 1n, 127n, 128n, 255n, 256n, 2n ** 64n, 2n ** 96n - 1n];
	const sizes = [0, 1, 2, 54, 55, 56, 57, 255, 256, 70_000];
	for (const [index, size] of [...sizes, ...sizes].entries()) {
		const number = (shift: number) => numbers[(index + shift) % numbers.length] ?? 0n;
		const fees =
			index < sizes.length
				? { type: 2, maxFeePerGas: number(1) + number(2), maxPriorityFeePerGas: number(1) }
				: { type: 0, gasPrice: number(1) };
		const data = `0x${(index % 2 === 0 ? '7f' : '80').repeat(size)}`;
		const fields = { chainId: index === 0 ? 1 : 2 ** index, nonce: index * index, data };
		const call = { to: other.address, value: number(3), gasLimit: number(4) };
		const transaction = { ...fees, ...fields, ...call };
		expect(await seed.sign('seed:0', transaction)).toBe(await own.signTransaction(transaction));
	}
});
