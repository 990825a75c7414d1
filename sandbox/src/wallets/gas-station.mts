import { parseEther } from 'ethers';

/** A wallet that pays; see `Sender`. */
interface Payer {
	sendAndWait(payment: { to: string; data: string; value: bigint }): Promise<unknown>;
}

/** Minimum amount sent, in wei: enough for many calls, so that a wallet is not topped up before each one. */
const GRANT = parseEther('0.01');

/** Sends native coin to wallets that are about to need it for gas. */
export class GasStation {
	readonly #payer: Payer;

	constructor(payer: Payer) {
		this.#payer = payer;
	}

	/**
	 * Sends at least `shortfall` wei to `address` and waits for the block.
	 *
	 * @throws Error if the paying wallet cannot afford it
	 */
	async provide(address: string, shortfall: bigint): Promise<void> {
		await this.#payer.sendAndWait({
			to: address,
			data: '0x',
			value: shortfall > GRANT ? shortfall : GRANT,
		});
	}
}
