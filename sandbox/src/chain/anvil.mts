import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { spawnGuarded } from '../process/guarded.mts';
import { MNEMONIC } from './phrase.mts';
import { anvilBinary } from './anvil-binary.mts';

/** The service's own chain. */
export interface Anvil {
	/** JSON-RPC endpoint. */
	rpcUrl: string;
	/** Process ID of anvil itself. */
	pid: number;
	/** Resolves when anvil has ended, for any reason. */
	ended: Promise<void>;
	/** Ends anvil and waits for its exit. */
	stop(): Promise<void>;
}

const LISTENING = /^Listening on (\S+)$/;

function killIfRunning(pid: number): void {
	try {
		process.kill(pid);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}

/**
 * Starts anvil on a free port of the loopback address. It mines each transaction immediately, unless configured otherwise.
 *
 * @throws Error if anvil ends before it listens
 */
export async function startAnvil(): Promise<Anvil> {
	// Its states of older blocks, gigabytes in time: by default they go to the home directory, where nobody removes them.
	const states = await mkdtemp(join(tmpdir(), 'wallet-service-chain-'));
	const guard = spawnGuarded({
		command: anvilBinary(),
		args: [
			...['--host', '127.0.0.1', '--port', '0', '--accounts', '1', '--balance', '1000000'],
			...['--mnemonic', MNEMONIC, '--cache-path', states],
		],
	});
	guard.stderr.pipe(process.stderr);
	let pid = 0;
	const ended = once(guard, 'exit').then(async ([, signal]) => {
		// If the guard was killed, it could not end anvil.
		if (signal !== null && pid !== 0) killIfRunning(pid);
		await rm(states, { recursive: true, force: true, maxRetries: 5 });
	});
	const lines = createInterface({ input: guard.stdout });
	for await (const line of lines) {
		if (pid === 0) pid = Number(line);
		const address = LISTENING.exec(line)?.[1];
		if (address === undefined) continue;
		// Nothing reads anvil's log of the calls, and a full pipe would block anvil.
		guard.stdout.resume();
		return {
			rpcUrl: `http://${address}`,
			pid,
			ended,
			async stop() {
				guard.stdin.end();
				await ended;
			},
		};
	}
	throw new Error('anvil ended before it was ready');
}
