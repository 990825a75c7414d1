import type { SubmittedTransaction } from '../../../service/src/schemas/contract-call.mts';
import type { HistoryEntry } from '../../../service/src/schemas/history.mts';
import type { Chain } from '../../../tools/sandbox/chain.mts';
import type { Faults } from '../../support/sandbox/faults.mts';
import { userPath, type Service, type Username } from '../../support/sandbox/service.mts';

/** The service's answer to a transfer. */
interface Submitted {
	hash: string;
	tx: SubmittedTransaction;
}

/** Sends dollars between users and checks balances and histories, through the service. */
export class Dollars {
	readonly #sandbox: () => Service;

	constructor(sandbox: () => Service) {
		this.#sandbox = sandbox;
	}

	get chain(): Chain {
		return this.#sandbox().chain;
	}

	get faults(): Faults {
		return this.#sandbox().faults;
	}

	/** Sends base units of the sandbox's dollar; the service must accept it. */
	async send(from: Username, to: Username, amount = '1'): Promise<Submitted> {
		const { write, user } = this.#sandbox();
		const args = [user(to).address, amount];
		const { status, data } = await write(from, 'usd', 'transfer(address,uint256)', args);
		expect(status).toBe(200);
		expect(data).toMatchObject({ status: 'SUCCESS' });
		expect(data.tx.hash).toBe(data.hash);
		return data;
	}

	/** Sends several amounts, one after another. */
	async sendEach(from: Username, to: Username, amounts: readonly string[]): Promise<Submitted[]> {
		const sent = [];
		for (const amount of amounts) sent.push(await this.send(from, to, amount));
		return sent;
	}

	async historyOf(username: Username): Promise<HistoryEntry[]> {
		const { as, user } = this.#sandbox();
		const path = userPath(user(username), '/history');
		const { status, data } = await as(username).get<HistoryEntry[]>(path);
		expect(status).toBe(200);
		return data;
	}

	/** Hashes of a user's history, newest first. */
	async hashesOf(username: Username): Promise<string[]> {
		return (await this.historyOf(username)).map(({ hash }) => hash);
	}

	/** Checks several times whether a hash is in a user's history. */
	async isListed(username: Username, hash: string, checks: number): Promise<boolean[]> {
		const listed = [];
		for (let n = 0; n < checks; n++) listed.push((await this.hashesOf(username)).includes(hash));
		return listed;
	}

	/** A user's balance in base units. */
	async balanceOf(username: Username): Promise<bigint> {
		const { as, user, contracts } = this.#sandbox();
		const path = userPath(user(username), `/balance/${contracts.usd}`);
		const { status, data } = await as(username).get(path);
		expect(status).toBe(200);
		return BigInt(data[contracts.usd.toLowerCase()].balance);
	}

	/** Path of a user's history, escaped for the regular expression of a fault. */
	historyPath(username: Username): string {
		const { user } = this.#sandbox();
		// These characters of an encoded path have a special meaning in a regular expression.
		return userPath(user(username), '/history').replace(/[.*()]/g, '\\$&');
	}

	/** Time of a transaction's block, in seconds. */
	async timeOf(hash: string): Promise<number> {
		const receipt = await this.chain.getTransactionReceipt(hash);
		return (await this.chain.getBlock(receipt?.blockHash ?? ''))?.timestamp ?? 0;
	}

	async mine(blocks = 1): Promise<void> {
		await this.chain.send('anvil_mine', [`0x${blocks.toString(16)}`]);
	}

	async transactionsOf(username: Username): Promise<number> {
		return await this.chain.getTransactionCount(this.#sandbox().user(username).address);
	}
}
