/**
 * Jest reporter that writes which tests passed and failed to the file in `JEST_RESULTS`. Jest's own `--json` also writes the
 * errors themselves, and ends without a result if one of them refers to itself, as those of axios do.
 */
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** The part of what jest gives a reporter that is used here. */
interface FileResult {
	readonly testFilePath: string;
	/** Why the file could not be run. */
	readonly testExecError?: unknown;
	readonly testResults: readonly {
		readonly status: string;
		readonly fullName: string;
		/** Why it failed, with its stack. */
		readonly failureMessages: readonly string[];
	}[];
}

/** The results of one test file. */
export interface TestFile {
	readonly path: string;
	/** Whether the file itself failed, and not one of its tests. */
	readonly isBroken: boolean;
	readonly tests: readonly {
		readonly status: string;
		readonly fullName: string;
		/** The first lines of why it failed; empty if it did not. */
		readonly why: string;
	}[];
}

const WHY_LINES = 8;

/** The first lines of an error, without colours. */
const firstLines = (text: string): string =>
	stripVTControlCharacters(text)
		.split('\n')
		.filter((line) => line.trim() !== '')
		.slice(0, WHY_LINES)
		.join('\n');

const toTestFile = ({ testFilePath: path, testExecError, testResults }: FileResult): TestFile => {
	const tests = testResults.map(({ status, fullName, failureMessages }) => {
		return { status, fullName, why: firstLines(failureMessages[0] ?? '') };
	});
	const isBroken = testExecError !== undefined && testExecError !== null;
	return { path, isBroken: isBroken && !tests.some(({ status }) => status === 'failed'), tests };
};

export default class Results {
	onRunComplete(_contexts: unknown, { testResults }: { testResults: readonly FileResult[] }): void {
		const { JEST_RESULTS: file } = process.env;
		if (file) writeFileSync(file, JSON.stringify(testResults.map(toTestFile)));
	}
}
