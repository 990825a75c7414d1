/**
 * Proves that the history equals one that is read from scratch, after reorganisations and whatever endpoints answer:
 *
 *   npm run service:history -- --reorganisations 1000 --database sqlite
 *
 * The last line sums up. Exits non-zero if a row differed.
 */
import { parseArgs } from 'node:util';
import { proveHistory } from './prove-history.mts';

const { values } = parseArgs({
	options: {
		reorganisations: { type: 'string', default: '100' },
		database: { type: 'string', default: 'sqlite' },
		seed: { type: 'string', default: '1' },
	},
});
const { database } = values;
if (database !== 'sqlite' && database !== 'postgres') {
	throw new Error(`--database is sqlite or postgres, not "${database}"`);
}
const proof = await proveHistory({
	reorganisations: Number(values.reorganisations),
	database,
	seed: Number(values.seed),
});
const { reorganisations, comparisons, different, rows, failures, faults, seconds } = proof;
console.log(
	`${different === 0 ? 'proven' : 'NOT PROVEN'} on ${database}: ${reorganisations} reorganisations, ${different} of ${comparisons} comparisons with a new index differ (${rows} rows, ${failures} failed rounds, ${faults} faults of the endpoints, ${seconds} s)`,
);
process.exit(different === 0 ? 0 : 1);
