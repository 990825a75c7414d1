/**
 * Proves that no write is lost or doubled, whatever endpoints answer and whenever the service is killed:
 *
 *   npm run service:proof -- --writes 10000 --kills 300 --database sqlite
 *
 * The last line sums up. Exits non-zero if a write was lost or doubled, or if the control doubled none.
 */
import { parseArgs } from 'node:util';
import type { DatabaseKind } from './network-and-service.mts';
import { prove, type Proof } from './prove.mts';

const CONTROL_WRITES = 50;

const { values } = parseArgs({
	options: {
		writes: { type: 'string', default: '500' },
		kills: { type: 'string', default: '25' },
		database: { type: 'string', default: 'sqlite' },
		seed: { type: 'string', default: '1' },
	},
});

function databaseKind(text: string): DatabaseKind {
	if (text === 'sqlite' || text === 'postgres') return text;
	throw new Error(`--database is sqlite or postgres, not "${text}"`);
}

const writes = Number(values.writes);
const database = databaseKind(values.database);
const common = { database, seed: Number(values.seed) };

const middle = (numbers: number[]) => Math.round(numbers[Math.floor(numbers.length / 2)] ?? 0);
const describe = (proof: Proof) =>
	`${proof.lost} lost, ${proof.doubled} doubled (${proof.requests} requests, ${proof.faults} faults of the endpoints, ${proof.seconds} s)`;

const control = await prove({
	...common,
	writes: CONTROL_WRITES,
	kills: 0,
	freesAfterErrors: true,
});
console.log(
	`control (an error frees the call): ${CONTROL_WRITES} writes, ${control.doubled} doubled (${control.seconds} s)`,
);
const proof = await prove({ ...common, writes, kills: Number(values.kills) });
console.log(
	`start after a kill: ${middle(proof.startMs)} ms, at most ${Math.round(proof.startMs.at(-1) ?? 0)} ms; memory at most ${proof.memoryMb} MB; ${(writes / proof.seconds).toFixed(1)} writes/s`,
);
const isProven = proof.lost + proof.doubled + proof.unrecorded === 0 && control.doubled > 0;
console.log(
	`${isProven ? 'proven' : 'NOT PROVEN'} on ${database}: ${writes} writes, ${proof.kills} kills, ${describe(proof)}; control: ${control.doubled} of ${CONTROL_WRITES} doubled`,
);
process.exit(isProven ? 0 : 1);
