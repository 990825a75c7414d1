/**
 * Proves that every write ends, and at most once executed, on a chain that reorganises, evicts transactions, raises its fees up
 * to forty times, and has a second signer with the same keys:
 *
 *   npm run service:chains -- --writes 3000 --reorganisations 500 --each 20
 *   npm run service:chains -- --kind hardhat --rpc http://127.0.0.1:8545 --writes 3000    (hardhat node)
 *
 * Ganache is left out: it executes one signed transaction twice. `--each` is how often each change of a state must at least be
 * seen. The last line sums up. Exits non-zero unless all is proven, and the control doubled a payment.
 */
import { parseArgs } from 'node:util';
import { payNaively } from './naive-sender.mts';
import { proveOnChain } from './prove-chain.mts';
import { CHAIN_KINDS } from './wild-chain.mts';

const CONTROL_PAYMENTS = 3;

const { values } = parseArgs({
	options: {
		writes: { type: 'string', default: '300' },
		reorganisations: { type: 'string' },
		each: { type: 'string', default: '0' },
		seed: { type: 'string', default: '1' },
		kind: { type: 'string', default: 'anvil' },
		rpc: { type: 'string' },
	},
});
const kind = CHAIN_KINDS.find((one) => one === values.kind);
if (kind === undefined) throw new Error(`--kind is one of ${CHAIN_KINDS.join(', ')}`);
if (kind !== 'anvil' && values.rpc === undefined) throw new Error(`--rpc is the URL of ${kind}`);

const control = await payNaively(CONTROL_PAYMENTS);
console.log(
	`control (a new nonce for what is not found): ${control} of ${CONTROL_PAYMENTS} doubled`,
);
const writes = Number(values.writes);
const reorganisations = Number(values.reorganisations ?? Math.ceil(writes / 6));
const [seed, rpcUrl] = [Number(values.seed), values.rpc];
const proof = await proveOnChain({ writes, reorganisations, seed, kind, rpcUrl });
for (const counts of [proof.events, proof.transitions]) {
	console.log([...counts].map(([name, times]) => `${name}: ${times}`).join(', '));
}
const { lost, doubled, open, seconds } = proof;
const rarest = Math.min(...proof.transitions.values());
const isSeen = rarest >= Number(values.each);
const isPaid = (proof.transitions.get('mined > final (succeeded)') ?? 0) > 0;
const isProven = lost + doubled + open + proof.false === 0 && control > 0 && isSeen && isPaid;
const seen = `${proof.events.get('reorganisation')} reorganisations, each change of a state at least ${rarest} times`;
console.log(
	`${isProven ? 'proven' : 'NOT PROVEN'} on ${kind}: ${writes} writes, ${lost} lost, ${doubled} doubled, ${proof.false} false, ${open} open, ${seen} (${seconds} s)`,
);
process.exit(isProven ? 0 : 1);
