import type { Part } from './pattern.mts';
import { partsOf } from './pattern.mts';

/** Maximum number of texts that each part of an expression is tried with. */
const MOST = 6;

/** Texts that parts match, each with another choice of characters and ways. */
function samplesOf(parts: readonly Part[]): string[] {
	const columns = parts.map((part) => {
		if (part.kind === 'character') return part.options;
		if (part.kind === 'choice') return part.ways.flatMap(samplesOf).slice(0, 3 * MOST);
		return samplesOf([part.part]);
	});
	const rows = Math.min(MOST, Math.max(1, ...columns.map(({ length }) => length)));
	return Array.from({ length: rows }, (_, row) =>
		columns.map((column) => column[row % column.length] ?? '').join(''),
	);
}

/** The beginnings of a match, and what can follow each of them many times. */
function* pumpsOf(
	parts: readonly Part[],
	before: readonly string[],
): Generator<readonly [start: string, pump: string]> {
	let starts = before;
	for (const part of parts) {
		const inner = part.kind === 'repeated' ? [part.part] : [];
		const samples = samplesOf([part]);
		if (part.kind === 'repeated' && part.most > 1) {
			for (const pump of samples) for (const start of starts.slice(0, 2)) yield [start, pump];
			yield* pumpsOf(inner, starts);
		}
		if (part.kind === 'choice') for (const way of part.ways) yield* pumpsOf(way, starts);
		// A beginning that comes again and again.
		const longer = samples.map((sample, at) => `${starts[at % starts.length] ?? ''}${sample}`);
		for (const pump of longer) yield ['', pump];
		starts = longer;
	}
}

/** Every character that decides a match, alone and in pairs. */
function* alphabetOf(regExp: RegExp): Generator<readonly [start: string, pump: string]> {
	const characters = new Set<string>();
	const collect = (part: Part): void => {
		if (part.kind === 'character') for (const one of part.options.slice(0, 3)) characters.add(one);
		if (part.kind === 'repeated') collect(part.part);
		if (part.kind === 'choice') part.ways.flat().forEach(collect);
	};
	partsOf(regExp).forEach(collect);
	const all = [...characters].slice(0, 5);
	for (const one of all) for (const other of all) yield ['', one === other ? one : one + other];
}

/** What ends a text so that a match of all of it fails. */
const ENDS = ['', '\n\0!'];

/**
 * Makes texts that a regular expression may need more than linear time for: each part that repeats, and each beginning of
 * a match, many times over.
 *
 * @param length characters of each text
 */
export function* pumpedTexts(regExp: RegExp, length: number): Generator<string> {
	const seen = new Set<string>();
	for (const [start, pump] of [...pumpsOf(partsOf(regExp), ['']), ...alphabetOf(regExp)]) {
		if (pump === '' || seen.has(`${start}\0${pump}`)) continue;
		seen.add(`${start}\0${pump}`);
		for (const end of ENDS) yield `${start}${pump.repeat(Math.ceil(length / pump.length))}${end}`;
	}
}
