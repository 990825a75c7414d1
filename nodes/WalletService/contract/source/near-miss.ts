/** From this length on, words differ enough from one another that two typing errors are still recognized. */
const LONG = 8;

/** Shortest prefix that is recognized as a truncated word. */
const SHORTEST_BEGINNING = 3;

/**
 * Optimal string alignment distance: characters to insert, delete, replace, or swap with their neighbour, to turn one word
 * into the other.
 */
function distance(one: string, other: string): number {
	let beforeLast: number[] = [];
	let last = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let row = 1; row <= one.length; row += 1) {
		const current = [row];
		for (let column = 1; column <= other.length; column += 1) {
			const isSame = one[row - 1] === other[column - 1];
			const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
			const removed = (last[column] ?? 0) + 1;
			const inserted = (current[column - 1] ?? 0) + 1;
			const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
			const exchanged = isExchanged ? (beforeLast[column - 2] ?? 0) + 1 : Infinity;
			current.push(Math.min(removed, inserted, replaced, exchanged));
		}
		[beforeLast, last] = [last, current];
	}
	return last[other.length] ?? 0;
}

/** Whether a lower-case word begins or ends with a keyword that a space should separate: `viewreturns`. */
function isGlued(word: string, keyword: string): boolean {
	const rest = word.startsWith(keyword)
		? word.slice(keyword.length)[0]
		: word.endsWith(keyword)
			? word.slice(0, -keyword.length).at(-1)
			: undefined;
	return rest !== undefined && /[a-z]/.test(rest);
}

function isNear(word: string, keyword: string): boolean {
	const lower = word.toLowerCase();
	if (lower === keyword || isGlued(word, keyword)) return true;
	if (lower.length >= SHORTEST_BEGINNING && keyword.startsWith(lower)) return true;
	const mistakes = keyword.length < LONG ? 1 : 2;
	return (
		Math.abs(lower.length - keyword.length) <= mistakes && distance(lower, keyword) <= mistakes
	);
}

/**
 * The keyword that a word was probably meant to be: mistyped (`veiw`), in another case (`View`), truncated (`ext`), or
 * without the space around it (`viewreturns`).
 *
 * @param keywords in lower case
 * @example nearMiss('retuns', ['view', 'returns']) // 'returns'
 */
export function nearMiss(word: string, keywords: Iterable<string>): string | undefined {
	for (const keyword of keywords) if (isNear(word, keyword)) return keyword;
	return undefined;
}
