/** A part of a regular expression, as far as texts to try it with need it. */
export type Part =
	| { readonly kind: 'character'; readonly options: readonly string[] }
	| { readonly kind: 'choice'; readonly ways: readonly (readonly Part[])[] }
	| { readonly kind: 'repeated'; readonly part: Part; readonly most: number };

/** A character of each kind that expressions tell apart; those of an expression itself come first. */
const KINDS = 'a0 .-\n"\\,x_A(é漢Ж\u0301\u200b\u2028';
const ESCAPE =
	/\\(?:[pP]\{[^}]*\}|u[\da-fA-F]{4}|u\{[^}]*\}|x[\da-fA-F]{2}|k<[^>]*>|[^])|\[(?:\\[^]|[^\]\\])*\]|[^]/y;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;
const GROUP = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y;

/** Reads the source of a regular expression: looks ahead and behind as what they look for, references as nothing. */
export function partsOf({ source, flags }: RegExp): readonly Part[] {
	let at = 0;
	const take = (form: RegExp): RegExpExecArray | null => {
		form.lastIndex = at;
		const found = form.exec(source);
		if (found !== null) at = form.lastIndex;
		return found;
	};
	const pool = [...new Set(source.replace(/\\[a-zA-Z]/g, '') + KINDS)];
	const kind = flags.replace(/[gy]/g, '');
	const atom = (text: string): Part | undefined => {
		if (/^(?:[\^$]|\\[bB1-9]|\\k)/.test(text)) return undefined;
		const form = new RegExp(`^(?:${text})$`, kind);
		return { kind: 'character', options: pool.filter((one) => form.test(one)).slice(0, 12) };
	};
	const choice = (): readonly (readonly Part[])[] => {
		const ways: Part[][] = [[]];
		while (at < source.length && source[at] !== ')') {
			if (source[at] === '|') {
				at += 1;
				ways.push([]);
				continue;
			}
			const group = take(GROUP);
			let part: Part | undefined;
			if (group === null) part = atom(take(ESCAPE)?.[0] ?? '');
			else {
				const inner = choice();
				at += 1;
				if (!group[0].endsWith('!')) part = { kind: 'choice', ways: inner };
			}
			const many = take(QUANTIFIER);
			if (part === undefined) continue;
			const [form = '', least, comma, most] = many ?? [];
			const isOnce = many === null || form.startsWith('?');
			const limit = least === undefined ? Infinity : Number(comma ? most || Infinity : least);
			ways.at(-1)?.push(isOnce ? part : { kind: 'repeated', part, most: limit });
		}
		return ways;
	};
	return [{ kind: 'choice', ways: choice() }];
}
