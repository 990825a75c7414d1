/**
 * Jest reporter that writes which tests passed and failed to the file in `JEST_RESULTS`. Jest's own `--json` also writes the
 * errors, and ends without a result if one of them refers to itself, as those of axios do.
 */
import { writeFileSync } from 'node:fs';

/** The part of what jest gives a reporter that is used here. */
interface FileResult {
	readonly testFilePath: string;
	/** Why the file could not be run. */
	readonly testExecError?: unknown;
	readonly testResults: readonly { readonly status: string; readonly fullName: string }[];
}

/** The results of one test file. */
export interface TestFile {
	readonly path: string;
	/** Whether the file itself failed, and not one of its tests. */
	readonly isBroken: boolean;
	readonly tests: readonly { readonly status: string; readonly fullName: string }[];
}

const toTestFile = ({ testFilePath: path, testExecError, testResults }: FileResult): TestFile => {
	const tests = testResults.map(({ status, fullName }) => ({ status, fullName }));
	const isBroken = testExecError !== undefined && testExecError !== null;
	return { path, isBroken: isBroken && !tests.some(({ status }) => status === 'failed'), tests };
};

export default class Results {
	onRunComplete(_contexts: unknown, { testResults }: { testResults: readonly FileResult[] }): void {
		const { JEST_RESULTS: file } = process.env;
		if (file) writeFileSync(file, JSON.stringify(testResults.map(toTestFile)));
	}
}
