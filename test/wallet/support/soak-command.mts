/**
 * Lets the service write and read at a steady rate, and states whether its memory, open files and write-ahead log are flat:
 *
 *   npm run service:soak -- --minutes 60 --every 500 --database sqlite
 *
 * At least ten minutes: at first, memory grows until it is collected. The last line sums up. Exits non-zero if something grows, or a write fails.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Resources } from '../../support/resources.mts';
import type { Payer } from '../../../tools/wallet/installed-service.mts';
import { install } from './network-and-service.mts';
import { pay, payloadOf } from './payment.mts';

const SAMPLES = 30;
const PAYERS = 4;
const PATIENCE_MS = 30_000;
const READS = ['', '/balance', '/history'];

/** Growth from the middle third of the time to the last one that counts as flat: a share, and an amount. */
const SHARE = 1.1;
const MEMORY_MB = 10;
const FILES = 8;
const WAL_MB = 64;

const { values } = parseArgs({
	options: {
		minutes: { type: 'string', default: '60' },
		every: { type: 'string', default: '500' },
		database: { type: 'string', default: 'sqlite' },
	},
});
const { database } = values;
if (database !== 'sqlite' && database !== 'postgres') {
	throw new Error(`--database is sqlite or postgres, not "${database}"`);
}
const totalMs = Number(values.minutes) * 60_000;
const everyMs = Number(values.every);
if (!(totalMs > 0 && everyMs > 0)) throw new Error('--minutes and --every are numbers above 0');

await using resources = new Resources();
const installed = await install(resources, database, { blockSeconds: 1, payers: PAYERS });
const { service, payers } = installed;
const { pid } = await resources.use(service.start());
let [writes, reads] = [0, 0];
/** Number of failures, by request and HTTP status. */
const failures = new Map<string, number>();

function count(request: string, status: number): void {
	const name = `${request} ${status || 'without an answer'}`;
	failures.set(name, (failures.get(name) ?? 0) + 1);
}
const failed = () =>
	[...failures].map(([name, times]) => `${times} x ${name}`).join(', ') || 'no failures';

async function writeAndRead(payer: Payer, number: number): Promise<void> {
	const told = await pay(service.url, payer, `${number}`, payloadOf(number), PATIENCE_MS);
	writes += 1;
	if (told.status !== 'SUCCESS') count('PUT', told.code);
	const paths = [...READS.map((path) => `/v1/users/${payer.id}${path}`), '/readyz'];
	for (const path of paths) {
		const headers = { authorization: `Bearer ${payer.token}` };
		const response = await fetch(service.url + path, { headers }).catch(() => undefined);
		await response?.arrayBuffer();
		reads += 1;
		if (!response?.ok) count(`GET ${path.split('/').at(-1)}`, response?.status ?? 0);
	}
}

async function measure() {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const links = await readdir(`/proc/${pid}/fd`);
	const wal = await stat(`${service.database}-wal`).catch(() => ({ size: 0 }));
	return {
		memoryMb: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
		files: links.length,
		walMb: Number((wal.size / 2 ** 20).toFixed(1)),
	};
}
type Sample = Awaited<ReturnType<typeof measure>>;

const begun = performance.now();
const samples: Sample[] = [];
const open = new Set<Promise<void>>();
for (let number = 0; performance.now() - begun < totalMs; number++) {
	const payer = payers[number % PAYERS];
	if (!payer) throw new Error('There is no user');
	const work = writeAndRead(payer, number);
	open.add(work);
	void work.finally(() => open.delete(work));
	if (performance.now() - begun >= (samples.length * totalMs) / SAMPLES) {
		const sample = await measure();
		samples.push(sample);
		const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
		const { memoryMb, files, walMb } = sample;
		const sent = `${writes} writes, ${reads} reads, ${failed()}`;
		console.log(`${minutes} min: ${memoryMb} MiB, ${files} files, WAL ${walMb} MiB; ${sent}`);
	}
	await setTimeout(Math.max(0, begun + (number + 1) * everyMs - performance.now()));
}
await Promise.all(open);

const third = Math.floor(samples.length / 3);
const most = (name: keyof Sample, from: number, to?: number) =>
	Math.max(...samples.slice(from, to).map((sample) => sample[name]));
const grows = (name: keyof Sample, amount: number) =>
	most(name, -third) > most(name, third, -third) * SHARE + amount;
const growing = [
	...(grows('memoryMb', MEMORY_MB) ? ['memory'] : []),
	...(grows('files', FILES) ? ['open files'] : []),
	...(most('walMb', 0) > WAL_MB ? ['write-ahead log'] : []),
];
const isFlat = growing.length === 0 && failures.size === 0;
console.log(
	`${isFlat ? 'flat' : 'NOT FLAT'} on ${database}: ${writes} writes, ${failed()}${growing.map((name) => `, ${name} grows`).join('')}`,
);
await resources[Symbol.asyncDispose]();
process.exit(isFlat ? 0 : 1);
