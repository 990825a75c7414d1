import {
	globSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { digestOfText } from '../files/digest.mts';
import { localState } from '../files/paths.mts';

const directory = join(localState, 'mutate');

/** What was not asked for so long is forgotten, in milliseconds. */
const KEPT = 7 * 24 * 60 * 60 * 1000;

const fileOf = (question: string): string => join(directory, `${digestOfText(question)}.json`);

/** Numbers that an earlier run found out, under all that they depend on; `undefined` when none did. */
export function remembered(question: string): Found | undefined {
	const file = fileOf(question);
	try {
		const found: Found = JSON.parse(readFileSync(file, 'utf8'));
		const now = new Date();
		utimesSync(file, now, now);
		return found;
	} catch {
		return undefined;
	}
}

/** What a run of a test file showed. */
export interface Found {
	readonly milliseconds: number;
	readonly numbers: readonly number[];
}

/** Keeps what was found out for later runs. */
export function remember(question: string, found: Found): void {
	mkdirSync(directory, { recursive: true });
	writeFileSync(fileOf(question), JSON.stringify(found));
}

/** Forgets what nobody has asked for in a long time. */
export function tidyUp(): void {
	for (const name of globSync('*.json', { cwd: directory })) {
		const file = join(directory, name);
		if (Date.now() - statSync(file).mtimeMs > KEPT) rmSync(file);
	}
}
