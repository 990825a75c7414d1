import { inJest } from './environment.mts';

type TestFiles = { readonly path: string }[];

const { default: Sequencer } = inJest('@jest/test-sequencer') as {
	readonly default: new () => { sort(files: TestFiles): TestFiles };
};

/** Starts the longest files first: started last, one would run alone at the end. */
export default class LongestFirst extends Sequencer {
	override sort(files: TestFiles): TestFiles {
		const isLong = ({ path }: { path: string }) => /running-n8n|e2e.artifact|commands.start/.test(path);
		return super.sort(files).toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
	}
}
