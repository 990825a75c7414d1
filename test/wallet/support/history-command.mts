/**
 * Proves that the history equals one that is read from scratch, after reorganisations and whatever endpoints answer:
 *
 *   npm run service:history -- --reorganisations 1000 --database sqlite
 *
 *   npm run service:history -- --rows 1000000 --database postgres
 *
 * With rows, it instead measures the size of a history of so many transfers, and the time until the newest 100 of a wallet are
 * found. The last line sums up. Exits non-zero if a row differed, or a number is above its limit.
 */
import { parseArgs } from 'node:util';
import { measureHistory } from './measure-history.mts';
import { proveHistory } from './prove-history.mts';

/** Bytes of the database for each transfer, and milliseconds until the newest transfers of 99 in 100 wallets are found. */
const MOST_BYTES = 500;
const MOST_MS = 20;

const { values } = parseArgs({
	options: {
		reorganisations: { type: 'string', default: '100' },
		database: { type: 'string', default: 'sqlite' },
		seed: { type: 'string', default: '1' },
		rows: { type: 'string' },
	},
});
const { database } = values;
if (database !== 'sqlite' && database !== 'postgres') {
	throw new Error(`--database is sqlite or postgres, not "${database}"`);
}
if (values.rows !== undefined) {
	const { bytes, times } = await measureHistory(Number(values.rows), database);
	const isWithin = bytes <= MOST_BYTES && times[1] <= MOST_MS;
	const [half, most, slowest] = times.map((ms) => ms.toFixed(1));
	console.log(
		`${isWithin ? 'within' : 'ABOVE'} the limits on ${database}: ${values.rows} transfers, ${bytes} bytes each; newest 100 of a wallet in ${half} ms, of 99 in 100 wallets in at most ${most} ms, of the slowest in ${slowest} ms`,
	);
	process.exit(isWithin ? 0 : 1);
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
