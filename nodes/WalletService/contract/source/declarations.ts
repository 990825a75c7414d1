import { declaresOther } from './signature';
import type { Token } from './tokens';
import { tokensOf } from './tokens';

/** One declaration of a pasted text. */
export interface Declaration {
	readonly text: string;
	/** Line of the source on which it begins, from 1. */
	readonly line: number;
}

/**
 * Splits human-readable ABI lines into function declarations: at its semicolons if the text contains any, at its line breaks
 * otherwise. A body in braces belongs to its function and ends it. Comments and declarations of anything but functions are
 * left out.
 *
 * @example declarationsIn('a()\n// comment\nb()') // [{ text: 'a()', line: 1 }, { text: 'b()', line: 3 }]
 */
export function declarationsIn(text: string): Declaration[] {
	const tokens = tokensOf(text);
	const endsWithLine = tokens.every((token) => token.text !== ';');
	const parts: Token[][] = [];
	let part: Token[] = [];
	let openBraces = 0;
	const end = () => {
		if (part.length > 0) parts.push(part);
		part = [];
	};
	for (const token of tokens) {
		const isOutside = openBraces === 0;
		if (isOutside && endsWithLine && token.startsLine) end();
		if (!isOutside || token.text !== ';') part.push(token);
		if (token.text === '{') openBraces += 1;
		if (token.text === '}' && !isOutside) openBraces -= 1;
		if (openBraces === 0 && (token.text === ';' || token.text === '}')) end();
	}
	end();
	return parts
		.filter(([first, second]) => !declaresOther(first?.text ?? '', second?.text ?? ''))
		.map((tokensOfPart) => {
			const [first, last] = [tokensOfPart[0], tokensOfPart.at(-1)];
			const to = (last?.start ?? 0) + (last?.text.length ?? 0);
			return { text: text.slice(first?.start ?? 0, to), line: first?.line ?? 1 };
		});
}
