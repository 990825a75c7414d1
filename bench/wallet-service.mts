/**
 * `npm run bench:service` measures the wallet service: what a write costs beside the sandbox, whose database is in memory,
 * how long a start takes after a kill, and how many writes of one wallet get into blocks. `--write` replaces the section in
 * RESULTS.md; `--parts throughput` measures and prints that part only.
 */
import { mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { toBeHex } from 'ethers';
import { startSandbox } from '../tools/sandbox/start.mts';
import { InstalledService } from '../tools/wallet/installed-service.mts';
import { LEDGER, startNetwork } from '../tools/wallet/network.mts';

const WRITES = 300;
const WARM_UP = 50;
const STARTS = 7;
/** Seconds between the blocks in which one wallet's writes are counted, and how many blocks. */
const BLOCK_SECONDS = [2, 12];
const BLOCKS = 10;
/** Writes that a wallet may have in no block. */
const MAX_OPEN = 16;
/** Pause before a refused write, and between two looks for a block, in milliseconds. */
const AGAIN_MS = 100;

const resultsFile = join(import.meta.dirname, 'RESULTS.md');
const SECTION = /(?<=<!-- service -->\n)[^]*(?=<!-- end of service -->)/;

interface Target {
	name: string;
	url: string;
	token: string;
	contract: string;
	abi: string;
	/** Milliseconds for each measured write. */
	times: number[];
}

/** Sends a write and waits for its answer. @throws Error unless it was submitted */
async function write(
	{ url, token, contract, abi }: Omit<Target, 'name' | 'times'>,
	number: number,
): Promise<void> {
	const response = await fetch(`${url}/v1/contracts/method/write`, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
		body: JSON.stringify({ address: contract, abi, args: [toBeHex(number + 1, 32)] }),
	});
	const text = await response.text();
	if (!text.includes('"SUCCESS"')) throw new Error(`${url}: ${text}`);
}

const median = (numbers: readonly number[]): number =>
	numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

async function peakMemory(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

async function measure(): Promise<string[]> {
	await using folder = await mkdtempDisposable(join(tmpdir(), 'wallet-service-bench-'));
	await using network = await startNetwork(0);
	await using sandbox = await startSandbox();
	const service = await InstalledService.create(folder.path, [network.rpcUrl]);
	const [payer] = await service.addPayers(1);
	const [user] = sandbox.ready.users;
	if (!payer || !user) throw new Error('There is no user');
	await network.fund(payer.address);
	let running = await service.start();
	const { baseUrl, contracts } = sandbox.ready;
	const inMemory: Target = {
		name: 'sandbox',
		url: baseUrl,
		token: user.accessToken,
		times: [],
		contract: contracts.shapes,
		abi: 'mark(uint256)',
	};
	const onDisk: Target = {
		name: 'wallet service, SQLite',
		url: service.url,
		token: payer.token,
		times: [],
		contract: LEDGER,
		abi: 'pay(bytes32)',
	};
	// In turn, so that other load on the machine affects both.
	for (let number = 0; number < WARM_UP + WRITES; number++) {
		for (const target of [inMemory, onDisk]) {
			const begun = performance.now();
			await write(target, number);
			if (number >= WARM_UP) target.times.push(performance.now() - begun);
		}
	}
	const memory = await peakMemory(running.pid);
	const starts: number[] = [];
	for (let count = 0; count < STARTS; count++) {
		await running.kill();
		running = await service.start();
		starts.push(running.startMs);
	}
	await running[Symbol.asyncDispose]();
	const { size } = await stat(service.database);
	const [fast, slow] = [median(inMemory.times), median(onDisk.times)];
	return [
		`| a write to the sandbox, median of ${WRITES} | ${fast.toFixed(1)} ms |`,
		`| a write to the wallet service on SQLite, median of ${WRITES} | ${slow.toFixed(1)} ms |`,
		`| difference | ${(slow - fast).toFixed(1)} ms |`,
		`| start after kill -9, median of ${STARTS} | ${Math.round(median(starts))} ms |`,
		`| slowest start | ${Math.round(Math.max(...starts))} ms |`,
		`| peak memory of the process after ${WRITES + WARM_UP} writes | ${memory} MiB |`,
		`| database per write | ${(size / (WRITES + WARM_UP) / 1024).toFixed(1)} KiB |`,
	];
}

/** How many writes of one wallet get into blocks, while its callers keep as many open as it may have. */
async function throughput(blockSeconds: number): Promise<string> {
	await using folder = await mkdtempDisposable(join(tmpdir(), 'wallet-service-bench-'));
	await using network = await startNetwork(blockSeconds);
	const service = await InstalledService.create(folder.path, [network.rpcUrl]);
	const [payer] = await service.addPayers(1);
	if (!payer) throw new Error('There is no user');
	await network.fund(payer.address);
	const running = await service.start();
	const { provider } = network;
	const target = { url: service.url, token: payer.token, contract: LEDGER, abi: 'pay(bytes32)' };
	let [number, isOver] = [0, false];
	const payOn = async (): Promise<void> => {
		while (!isOver) {
			number += 1;
			await write(target, number).catch(async (error: unknown) => {
				if (!String(error).includes('too_many_open_writes')) throw error;
				await setTimeout(AGAIN_MS);
			});
		}
	};
	const callers = Array.from({ length: MAX_OPEN }, payOn);
	const nextBlock = async (): Promise<{ at: number; writes: number }> => {
		const block = await provider.getBlockNumber();
		while ((await provider.getBlockNumber()) === block) await setTimeout(AGAIN_MS);
		return { at: performance.now(), writes: await provider.getTransactionCount(payer.address) };
	};
	// The first block with writes is the beginning.
	await nextBlock();
	const first = await nextBlock();
	let last = first;
	for (let block = 0; block < BLOCKS; block++) last = await nextBlock();
	isOver = true;
	await Promise.all(callers);
	await running[Symbol.asyncDispose]();
	const writes = last.writes - first.writes;
	const perSecond = writes / ((last.at - first.at) / 1_000);
	return `| one wallet with ${MAX_OPEN} open writes, blocks of ${blockSeconds} s | ${(writes / BLOCKS).toFixed(1)} writes a block, ${perSecond.toFixed(2)} a second |`;
}

const { values } = parseArgs({
	options: { parts: { type: 'string', default: 'writes,throughput' }, write: { type: 'boolean' } },
});
const parts = values.parts.split(',');
const rows = [`| measured | value |`, `| --- | --- |`];
if (parts.includes('writes')) rows.push(...(await measure()));
if (parts.includes('throughput')) {
	for (const blockSeconds of BLOCK_SECONDS) rows.push(await throughput(blockSeconds));
}
const section = rows.join('\n');
console.log(section);
if (values.write) {
	const results = await readFile(resultsFile, 'utf8');
	if (!SECTION.test(results)) throw new Error('RESULTS.md has no section for the service');
	await writeFile(resultsFile, results.replace(SECTION, `\n${section}\n\n`));
}
process.exit(0);
