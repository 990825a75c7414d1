/**
 * `npm run bench:service` measures the wallet service: what a write costs beside the sandbox, whose database is in memory,
 * and how long a start takes after a kill. `--write` replaces the section in RESULTS.md.
 */
import { mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBeHex } from 'ethers';
import { startSandbox } from '../tools/sandbox/start.mts';
import { InstalledService } from '../tools/wallet/installed-service.mts';
import { LEDGER, startNetwork } from '../tools/wallet/network.mts';

const WRITES = 300;
const WARM_UP = 50;
const STARTS = 7;

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
async function write({ url, token, contract, abi }: Target, number: number): Promise<void> {
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

async function measure(): Promise<string> {
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
		...{ name: 'sandbox', url: baseUrl, token: user.accessToken, times: [] },
		...{ contract: contracts.shapes, abi: 'mark(uint256)' },
	};
	const onDisk: Target = {
		...{ name: 'wallet service, SQLite', url: service.url, token: payer.token, times: [] },
		...{ contract: LEDGER, abi: 'pay(bytes32)' },
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
		`| measured | value |\n| --- | --- |`,
		`| a write to the sandbox, median of ${WRITES} | ${fast.toFixed(1)} ms |`,
		`| a write to the wallet service on SQLite, median of ${WRITES} | ${slow.toFixed(1)} ms |`,
		`| difference | ${(slow - fast).toFixed(1)} ms |`,
		`| start after kill -9, median of ${STARTS} | ${Math.round(median(starts))} ms |`,
		`| slowest start | ${Math.round(Math.max(...starts))} ms |`,
		`| peak memory of the process after ${WRITES + WARM_UP} writes | ${memory} MiB |`,
		`| database per write | ${(size / (WRITES + WARM_UP) / 1024).toFixed(1)} KiB |`,
	].join('\n');
}

const section = await measure();
console.log(section);
if (process.argv.includes('--write')) {
	const results = await readFile(resultsFile, 'utf8');
	if (!SECTION.test(results)) throw new Error('RESULTS.md has no section for the service');
	await writeFile(resultsFile, results.replace(SECTION, `\n${section}\n\n`));
}
process.exit(0);
