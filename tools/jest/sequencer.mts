import { inJest } from './environment.mts';

type TestFiles = { readonly path: string }[];

const { default: Sequencer } = inJest('@jest/test-sequencer') as {
	readonly default: new () => { sort(files: TestFiles): TestFiles };
};

/** Long files, the longest last: started late, one would run alone at the end. */
const EARLY = [
	/e2e|contract-fuzz|writes-on-chain|gas-station|wallet.proof.test/,
	/running-n8n|commands.start|send-and-confirm|hostile-endpoint/,
];

export default class LongestFirst extends Sequencer {
	override sort(files: TestFiles): TestFiles {
		const place = ({ path }: { path: string }) => EARLY.findLastIndex((one) => one.test(path));
		return super.sort(files).toSorted((one, other) => place(other) - place(one));
	}
}
