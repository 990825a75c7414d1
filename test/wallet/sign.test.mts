/** A signer that signs anything else than it was asked for. */
import { Transaction, Wallet } from 'ethers';
import type { Signer } from '../../service/src/keys/signer.mts';
import { signChecked, type Unsigned } from '../../service/src/writes/sign.mts';

const key = new Wallet(`0x${'11'.repeat(32)}`);
const other = new Wallet(`0x${'22'.repeat(32)}`);
const wallet = { source: 'seed:0', address: key.address };
const unsigned: Unsigned = {
	...{ to: other.address, data: '0x1234', value: 5n, chainId: 1, nonce: 7, gasLimit: 30_000n },
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
		expect(signed).toMatchObject({ nonce: 7, to: other.address, from: key.address });
		expect(Transaction.from(signed.serialized).hash).toBe(signed.hash);
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
