/**
 * Proves that what Transaction: Get and Find Transfer report about transactions is what the chain was, while it reorganises,
 * evicts, reverts and replaces them, and endpoints lag, fail or deny them:
 *
 *   npm run service:verdicts -- --cases 2000 --seed 1
 *
 * A verdict is true if the chain was so during the call, or before it, as long as a service may be behind; one that is called
 * final must hold to the end, and one that is `PENDING` with a `note` is not certain while an endpoint lies. A quarter of the questions follow when nothing changes any more, and must be answered exactly.
 * `--each` is how often each kind of verdict must at least be given. The last line sums up; exits non-zero unless all is proven.
 */
import { parseArgs } from 'node:util';
import { buildWhenChanged } from '../../../tools/package/build.mts';
import { proveVerdicts } from './prove-verdicts.mts';

const { values } = parseArgs({
	options: {
		cases: { type: 'string', default: '200' },
		each: { type: 'string', default: '0' },
		seed: { type: 'string', default: '1' },
	},
});
const KINDS = [
	'PENDING',
	'SUCCESS',
	'REVERTED',
	'CANCELLED',
	'FOREIGN',
	'unknown',
	'ARRIVED',
	'not found',
];

await buildWhenChanged();
const proof = await proveVerdicts(Number(values.cases), Number(values.seed));
console.log([...proof.events].map(([name, times]) => `${name}: ${times}`).join(', '));
const counts = KINDS.map((kind) => [kind, proof.kinds.get(kind) ?? 0] as const);
const isProven = proof.false === 0 && counts.every(([, times]) => times >= Number(values.each));
const { final, open, late, latestMs, seconds } = proof;
const kinds = counts.map(([kind, times]) => `${times} ${kind}`).join(', ');
console.log(
	`${isProven ? 'proven' : 'NOT PROVEN'}: ${values.cases} verdicts (${kinds}; ${final} final), ${proof.false} false, ${open} not certain, ${late} as the chain was up to ${(latestMs / 1_000).toFixed(1)} s before the question (${seconds} s)`,
);
process.exit(isProven ? 0 : 1);
