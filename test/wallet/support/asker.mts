/** Asks the node what became of a transaction: it runs in n8n's engine, in a process of its own. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Payer } from '../../../tools/wallet/installed-service.mts';
import { root } from '../../../tools/files/paths.mts';
import type { Asked, Reported } from './judge.mts';

const PROGRAM = join(root, 'test/engine/support/runs-by-message.mts');

export class Asker implements AsyncDisposable {
	readonly #child: ChildProcess;
	readonly #open = new Map<number, PromiseWithResolvers<Reported>>();
	#number = 0;

	private constructor(child: ChildProcess) {
		this.#child = child;
		child.on('message', ({ id, ...reported }: Reported & { id: number }) => {
			this.#open.get(id)?.resolve(reported);
			this.#open.delete(id);
		});
		child.on('exit', () => {
			const error = new Error('The process that asks has ended');
			for (const { reject } of this.#open.values()) reject(error);
		});
	}

	static async start(): Promise<Asker> {
		const child = fork(PROGRAM);
		const asker = new Asker(child);
		await once(child, 'message');
		return asker;
	}

	async ask(
		baseUrl: string,
		{ id: userId, token: accessToken }: Payer,
		{ hash: transactionHash, operation }: Asked,
		waitUpTo: number,
	): Promise<Reported> {
		const resource = operation === 'get' ? 'transaction' : 'history';
		const parameters = { resource, operation, transactionHash, waitUpTo };
		const answer = Promise.withResolvers<Reported>();
		this.#number += 1;
		this.#open.set(this.#number, answer);
		const credential = { baseUrl, accessToken, userId };
		this.#child.send({ id: this.#number, parameters, credential });
		return await answer.promise;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		const ended = once(this.#child, 'exit');
		this.#child.kill();
		await ended;
	}
}
