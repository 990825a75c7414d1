/** Which faults the mutation runner makes in a source. */
import { mutantsOf, mutated } from '../../../tools/mutate/mutants.mts';
import { readSource } from '../support/tools/source.mts';

function faultsIn(text: string): string[] {
	const { source, checker } = readSource(text);
	const mutants = mutantsOf('source.ts', source, checker);
	return mutants.map(({ line, before, after }) => `${line}: ${before} -> ${after}`);
}

test.each<[string, string, string[]]>([
	['a condition', 'if (known) first();', ['1: known -> !(known)', '1: first(); -> (removed)']],
	['a negation', 'const is = !known;', ['1: !known -> known']],
	[
		'a boundary',
		'const is = size < limit;',
		['1: size < limit -> size <= limit', '1: size < limit -> size >= limit'],
	],
	['an equality', 'const is = size === limit;', ['1: size === limit -> size !== limit']],
	[
		'both sides of "and"',
		'const is = one && other;',
		['1: one && other -> one || other', '1: one && other -> one', '1: one && other -> other'],
	],
	[
		'"or" inside an "and", bound as it was',
		'const is = one || two || three;',
		[
			'1: one || two || three -> (one || two) && three',
			'1: one || two || three -> one || two',
			'1: one || two || three -> three',
			'1: one || two -> one && two',
			'1: one || two -> one',
			'1: one || two -> two',
		],
	],
	[
		'a value to fall back on',
		'const size = given ?? usual;',
		['1: given ?? usual -> usual', '1: given ?? usual -> given'],
	],
	[
		'arithmetic, but not texts that are joined',
		'declare const size: number; const more = size + size; const name = `${size}` + size;',
		['1: size + size -> size - size', '1: `${size}` -> ``'],
	],
	[
		'counting',
		'count++; -count;',
		[
			'1: count++; -> (removed)',
			'1: count++ -> count--',
			'1: -count; -> (removed)',
			'1: -count -> count',
		],
	],
	[
		'what is written out',
		"const all = { is: true, most: 50_000, wei: 0n, name: 'x', none: '' };",
		[
			'1: is: true -> (removed)',
			'1: true -> false',
			'1: most: 50_000 -> (removed)',
			'1: 50_000 -> 50001',
			'1: wei: 0n -> (removed)',
			'1: 0n -> 1n',
			"1: name: 'x' -> (removed)",
			"1: 'x' -> ''",
			"1: none: '' -> (removed)",
			"1: '' -> 'mutant'",
		],
	],
	[
		'a text that its type limits',
		"type Outcome = 'done' | 'refused' | 'unknown';\nconst one: Outcome = 'unknown';\nconst is = (other: Outcome) => other === 'done';",
		["2: 'unknown' -> 'done'", "3: other === 'done' -> other !== 'done'", "3: 'done' -> 'refused'"],
	],
	[
		'statements of a function, with its last return only as a whole',
		'function f() {\n\tif (done) return 1;\n\tstart();\n\tname = given;\n\treturn name;\n}',
		[
			'1: {\n\tif (done) return 1;\n\tstart();\n\tname = given;\n\treturn name;\n} -> {}',
			'2: done -> !(done)',
			'2: return 1; -> (removed)',
			'2: 1 -> 2',
			'3: start(); -> (removed)',
			'4: name = given; -> (removed)',
		],
	],
	[
		'a block with one statement only once',
		'if (known) { throw reason; }',
		['1: known -> !(known)', '1: throw reason; -> (removed)'],
	],
	[
		'loops',
		'for (const one of all) { if (one) continue; use(one); }',
		[
			'1: { if (one) continue; use(one); } -> {}',
			'1: one -> !(one)',
			'1: continue; -> (removed)',
			'1: use(one); -> (removed)',
		],
	],
	[
		'entries of a set, but no list that is assigned to',
		'const statuses = new Set([408, ...others, 425]); [one, other] = pair;',
		[
			'1: 408 -> (removed)',
			'1: ...others -> (removed)',
			'1: 425 -> (removed)',
			'1: [one, other] = pair; -> (removed)',
		],
	],
	[
		'calls',
		'const is = given?.trim().startsWith(name?.[key]);',
		[
			'1: given?.trim() -> given',
			'1: given?.trim -> given.trim',
			'1: startsWith -> endsWith',
			'1: name?.[key] -> name[key]',
		],
	],
	[
		'a pattern',
		'const HASH = /^(?:0x)?[^a-f\\]]{64}\\+$/i;',
		[
			'1: /^(?:0x)?[^a-f\\]]{64}\\+$/i -> /(?:0x)?[^a-f\\]]{64}\\+$/i',
			'1: /^(?:0x)?[^a-f\\]]{64}\\+$/i -> /^(?:0x)[^a-f\\]]{64}\\+$/i',
			'1: /^(?:0x)?[^a-f\\]]{64}\\+$/i -> /^(?:0x)?[a-f\\]]{64}\\+$/i',
			'1: /^(?:0x)?[^a-f\\]]{64}\\+$/i -> /^(?:0x)?[^a-f\\]]{65}\\+$/i',
			'1: /^(?:0x)?[^a-f\\]]{64}\\+$/i -> /^(?:0x)?[^a-f\\]]{64}\\+/i',
			'1: /^(?:0x)?[^a-f\\]]{64}\\+$/i -> /^(?:0x)?[^a-f\\]]{64}\\+$/',
		],
	],
	[
		'nothing in types, imports, names, and comments',
		"import { a } from 'b';\nexport * from 'c';\ninterface A { readonly state: 'd'; size: 1 }\ntype B = 'e' | 2;\n// if (a) f();\nlet used: A['state'];",
		[],
	],
	[
		'nothing in what is written for people',
		"declare function refuse(rule: string, message: string): never;\nconst text = { message: a ? 'no' : `${size}`, hint: 'x' };\nconst why = 'it was not sent';\nrefuse('rule', 'too much');",
		['2: a -> !(a)', "4: refuse('rule', 'too much'); -> (removed)", "4: 'rule' -> ''"],
	],
])('%s', (_name, text, faults) => {
	expect(faultsIn(text)).toEqual(faults);
});

test('each fault changes the source at its place alone', () => {
	const text = 'const is = one && other;\nif (is) { first(); second(); }\n';
	const { source, checker } = readSource(text);
	const versions = mutantsOf('source.ts', source, checker).map((mutant) => mutated(text, mutant));
	expect(versions).toEqual([
		'const is = (one || other);\nif (is) { first(); second(); }\n',
		'const is = one;\nif (is) { first(); second(); }\n',
		'const is = other;\nif (is) { first(); second(); }\n',
		'const is = one && other;\nif (!(is)) { first(); second(); }\n',
		'const is = one && other;\nif (is) {}\n',
		'const is = one && other;\nif (is) {  second(); }\n',
		'const is = one && other;\nif (is) { first();  }\n',
	]);
});

test('a fault keeps its name when lines are added above it', () => {
	const keysIn = (text: string): string[] => {
		const { source, checker } = readSource(text);
		return mutantsOf('source.ts', source, checker).map(({ key }) => key);
	};
	const text = 'f(a ?? b);\ng(a ?? b);\n';
	expect(new Set(keysIn(text)).size).toBe(keysIn(text).length);
	expect(keysIn(`// New\n\n${text}`)).toEqual(keysIn(text));
});
