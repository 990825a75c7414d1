/** No form in which a service may send the access token back is left in a text. */
import fc from 'fast-check';

import { redact } from '../../../../nodes/WalletService/request/failure/redact.ts';
import {
	anyToken,
	around,
	choices,
	JSON_FORMS,
	realToken,
	textsIn,
	URL_FORMS,
} from '../../../support/echoed.mts';

const MASK = '[access token removed]';
const TOKEN = 'eyJ0/YWxn+iJub25l.sig_-~Q==';

const shown = (text: string, token = TOKEN): string => redact(text, `Bearer ${token}`);

describe('what an answer says beside the token stays', () => {
	test.each([
		['raw', `a ${TOKEN} b`, `a ${MASK} b`],
		[
			'often',
			`${TOKEN}${TOKEN} ${'x'.concat(TOKEN).repeat(9)}`,
			MASK + `${MASK} ${`x${MASK}`.repeat(9)}`,
		],
		['with escaped slashes', `{"e":"x ${TOKEN.replace('/', '\\/')} y"}`, `{"e":"x ${MASK} y"}`],
		['in a name', `{"${TOKEN}":1}`, `{"${MASK}":1}`],
		['in JSON inside JSON', JSON.stringify({ e: JSON.stringify({ t: TOKEN }) }), undefined],
		['in a URL', `https://x.example/?t=${encodeURIComponent(TOKEN)}&u=1`, undefined],
		['in base64', `dump ${btoa(`Bearer ${TOKEN}, x`)} end`, undefined],
	])('%s', (_name, text, expected) => {
		const result = shown(text);
		if (expected !== undefined) expect(result).toBe(expected);
		expect(result).toContain(MASK);
		expect(result.replace(/\W/g, '')).not.toMatch(/eyJ0YWxn|iJub25l|sig_/);
	});

	test('numbers, escapes and order of a JSON answer', () => {
		const text = `{"n":12345678901234567890, "e":"\\u0041\\n\\"${TOKEN}\\"","m":[1.50,null]}`;
		expect(shown(text)).toBe(`{"n":12345678901234567890, "e":"A\\n\\"${MASK}\\"","m":[1.50,null]}`);
	});
});

describe('a text without the token stays as it is', () => {
	test.each([
		['no authorization', undefined],
		['an empty one', ''],
		['an empty token', 'Bearer '],
		['an empty token without a space', 'Bearer'],
		['a token of white space', 'Bearer   '],
		['one character', 'Bearer a'],
		['three characters', 'Bearer abc'],
		['another token', 'Bearer other-token'],
	])('%s', (_name, authorization) => {
		const text = '{"Bearer":"a abc abcabc Bearer \\u0061\\/%61 YWJj"}';
		expect(redact(text, authorization)).toBe(text);
	});

	test('a character that stands for the mask meanwhile', () => {
		expect(shown('a \uFFFF b')).toBe('a \uFFFF b');
	});

	test('four characters are a token', () => {
		expect(redact('abcd', 'Bearer abcd')).toBe(MASK);
	});

	test('a token that was pasted together with the word Bearer is one without it', () => {
		expect(redact('abcd-efgh', 'Bearer Bearer abcd-efgh')).toBe(MASK);
	});

	test('whatever it is', () => {
		fc.assert(
			fc.property(fc.json(), realToken, (text, token) => {
				fc.pre(!text.includes(token));
				return shown(text, token) === text;
			}),
		);
	});
});

test('a token that looks like the words in its place is taken out, too', () => {
	expect(shown('x token y', 'token')).toBe(`x ${MASK} y`);
});

/** Puts an echo at every place that a JSON answer has: a text, a name, and deep inside. */
const answers = (echo: string): string[] => [
	`{"error":"${echo}"}`,
	`{"${echo}": 1}`,
	`[[{"a":{"b":["x","${echo}"]},"n":12345678901234567890}]]`,
	`"${echo}"`,
];

describe.each(Object.entries(JSON_FORMS))('an answer that holds a token %s', (_name, write) => {
	test('parses, and holds it nowhere', () => {
		fc.assert(
			fc.property(anyToken, around, around, choices, (token, before, after, numbers) => {
				const echo = write(`${before}${token}${after}`, numbers);
				for (const answer of answers(echo)) {
					const result = shown(answer, token);
					const texts = textsIn(JSON.parse(result));
					expect(texts.filter((text) => text.includes(token))).toEqual([]);
					expect(texts.join()).toContain(MASK);
				}
			}),
		);
	});

	test('holds it nowhere either where it is not JSON', () => {
		fc.assert(
			fc.property(anyToken, around, choices, (token, before, numbers) => {
				const echo = write(token, numbers);
				const result = shown(`${before} ${echo}`, token);
				return !result.includes(token) && !result.includes(echo) && result.includes(MASK);
			}),
		);
	});

	test('parses inside JSON inside JSON, and holds it nowhere', () => {
		fc.assert(
			fc.property(realToken, choices, (token, numbers) => {
				const inner = `{"Authorization":"Bearer ${write(token, numbers)}"}`;
				const outer: unknown = JSON.parse(shown(JSON.stringify({ body: inner }), token));
				expect(JSON.stringify(outer)).toContain(MASK);
				expect(textsIn(outer).filter((text) => text.includes(token))).toEqual([]);
				const [, body = ''] = textsIn(outer);
				expect(textsIn(JSON.parse(body)).filter((text) => text.includes(token))).toEqual([]);
			}),
		);
	});
});

describe.each(Object.entries(URL_FORMS))('a URL that holds a token %s', (_name, write) => {
	test('does not in a header, nor in an answer', () => {
		fc.assert(
			fc.property(anyToken, choices, (token, numbers) => {
				const echo = write(token, numbers);
				const url = `https://wallet.example.com/login?next=%2F&t=${echo}&x=1`;
				const header = shown(url, token);
				expect(header).not.toContain(echo);
				expect(header).not.toContain(token);
				expect(header).toMatch(/^https:\/\/wallet\.example\.com\/login\?next=.*&x=1$/);
				const parsed: unknown = JSON.parse(shown(JSON.stringify({ url }), token));
				expect(textsIn(parsed)).toEqual(['url', header]);
			}),
		);
	});
});

/** Characters of base64 that hold a bit of so many bytes. */
const charactersOf = (bytes: number): number => Math.ceil((bytes * 8) / 6);

test('a token in base64 is found wherever it stands in what was encoded, and the rest of it stays', () => {
	fc.assert(
		fc.property(anyToken, around, around, fc.boolean(), (token, before, after, isForUrls) => {
			const bytes = Buffer.from(`${before}${token}${after}`);
			const dump = bytes.toString(isForUrls ? 'base64url' : 'base64');
			const result = shown(JSON.stringify({ dump }), token);
			const [start = '', end = '', ...more] = result.slice(9, -2).split(MASK);
			expect(more).toEqual([]);
			expect([dump.startsWith(start), dump.endsWith(end)]).toEqual([true, true]);
			// Not a bit of the token is left, and at most a character of the others is gone with it.
			const bitsBefore = Buffer.byteLength(before) * 8;
			const untilEnd = charactersOf(Buffer.byteLength(before + token));
			const kept = [start.length, end.replace(/=+$/, '').length];
			const most = [Math.floor(bitsBefore / 6), charactersOf(bytes.length) - untilEnd];
			for (const [index, length] of kept.entries()) {
				expect(length).toBeLessThanOrEqual(most[index] ?? 0);
				expect(length).toBeGreaterThanOrEqual((most[index] ?? 0) - 1);
			}
		}),
	);
});

test.each([
	'raw',
	encodeURIComponent('schlüssel-1€'),
	Buffer.from('schlüssel-1€').toString('base64'),
])('a token that is no ASCII text is found, too (%s)', (echo) => {
	const text = echo === 'raw' ? 'schlüssel-1€' : echo;
	expect(shown(`a ${text} b`, 'schlüssel-1€')).toBe(`a ${MASK} b`);
});

test.each(['"!!!!!!!"', '\\"!!!!\\"', '\\\\!!!!\\'])(
	'a token whose quotes look like those of JSON (%s) is found where it stands alone, and between quotes',
	(token) => {
		for (const said of [token, `"${token}`, `${token}"`, `"${token}"!!!!!!!"`]) {
			const answers = [{ error: said }, { [said]: [said] }, said];
			for (const answer of answers) {
				const texts = textsIn(JSON.parse(shown(JSON.stringify(answer), token)));
				expect(texts.filter((text) => text.includes(token))).toEqual([]);
			}
		}
	},
);

test('a number that is the token is taken out, and the answer stays JSON', () => {
	const answer = '{"token":1234567890123456,"other":12345,"list":[-1.5e3,1234567890123456]}';
	expect(JSON.parse(shown(answer, '1234567890123456'))).toEqual({
		token: MASK,
		other: 12345,
		list: [-1500, MASK],
	});
});

test('an answer with many layers of encoding ends soon, and holds no token', () => {
	const layers = Array.from({ length: 200 }, (_, depth) => `%${'25'.repeat(depth)}41bcd-efgh`);
	expect(shown(layers.join(' '), 'Abcd-efgh')).toBe(MASK);
});
