/** The access token is removed from a text, plain, JSON-escaped or percent-encoded; the rest remains. */
import fc from 'fast-check';

import { redact } from '../../../../nodes/WalletService/request/failure/redact.ts';
import {
	around,
	choices,
	JSON_FORMS,
	realToken,
	textsIn,
	URL_FORMS,
} from '../../../support/echoed.mts';

const MASK = '[access token removed]';
const TOKEN = 'eyJ0/YWxn+iJub25l.sig_-~Q==';
const IN_URL = encodeURIComponent(TOKEN);

const shown = (text: string, token = TOKEN): string => redact(text, `Bearer ${token}`);

describe('the rest of an answer stays', () => {
	test.each<[name: string, text: string, expected: string, token?: string]>([
		['raw', `a ${TOKEN} b`, `a ${MASK} b`],
		[
			'often',
			`${TOKEN.repeat(2)} ${`x${TOKEN}`.repeat(9)}`,
			`${MASK.repeat(2)} ${`x${MASK}`.repeat(9)}`,
		],
		['with escaped slashes', `{"e":"x ${TOKEN.replace('/', '\\/')} y"}`, `{"e":"x ${MASK} y"}`],
		['with its first slash escaped', '{"e":"\\/abcdefgh"}', `{"e":"${MASK}"}`, '/abcdefgh'],
		['that looks encoded', 'a %41bc\\/ b %2541bc%5C%2F', `a ${MASK} b ${MASK}`, '%41bc\\/'],
		['in a name', `{"${TOKEN}":1}`, `{"${MASK}":1}`],
		['in a URL', `https://x/?t=${IN_URL}&u=%2F`, `https://x/?t=${MASK}&u=%2F`],
		['that is a part of what is encoded', `\\u0041%41${IN_URL}\\/`, `\\u0041%41${MASK}\\/`],
	])('%s', (_name, text, expected, token = TOKEN) => {
		expect(shown(text, token)).toBe(expected);
	});

	test('numbers, escapes and order of a JSON answer', () => {
		const text = `{"n":12345678901234567890, "e":"\\u0041\\n\\"${TOKEN}\\"","m":[1.50,null]}`;
		expect(shown(text)).toBe(text.replace(TOKEN, MASK));
	});
});

describe('what cannot be seen does not part a token, for cleaning would put it together again', () => {
	const parted = (by: string) =>
		`${TOKEN.slice(0, 5)}${by}${TOKEN.slice(5, 9)}${by}${by}${TOKEN.slice(9)}`;

	test.each([
		['U+200B', '\u200b'],
		['a soft hyphen', '\u00ad'],
		['a control character', '\u0007'],
		['U+FEFF', '\ufeff'],
		['a variation selector', '\ufe0f'],
		['a tag of two units', '\u{e0041}'],
		['a JSON escape', '\\u200b'],
		['a JSON escape of its own', '\\b'],
	])('%s', (_name, by) => {
		const text = `😀 \u200b"${parted(by)}" \u200b${TOKEN} 😀\u200b`;
		expect(shown(text)).toBe(`😀 \u200b"${MASK}" ${MASK} 😀\u200b`);
	});

	test('white space does', () => {
		for (const by of [' ', '\n', '\u2003']) expect(shown(parted(by))).toBe(parted(by));
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

	test.each([
		['four characters', 'abcd', 'Bearer abcd'],
		['one pasted together with the word Bearer', 'abcd-efgh', 'Bearer Bearer abcd-efgh'],
	])('but %s are a token', (_name, token, authorization) => {
		expect(redact(token, authorization)).toBe(MASK);
	});

	test('a token that is too short to be a real one is left inside a hash', () => {
		const hash = `0x${'0000'.repeat(16)}`;
		const text = redact(`{"hash":"${hash}","e":"0000 ${hash}00"}`, 'Bearer 0000');
		expect(text).toBe(`{"hash":"${hash}","e":"${MASK} 0x${MASK.repeat(16)}00"}`);
		const long = '0123456789abcdef';
		expect(redact(`0x${long.repeat(4)}`, `Bearer ${long}`)).toBe(`0x${MASK.repeat(4)}`);
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
	expect(shown('x token %74oken y', 'token')).toBe(`x ${MASK} ${MASK} y`);
});

/** Answers with the echo in a text, in a name, and nested. */
const answers = (echo: string): string[] => [
	`{"error":"${echo}"}`,
	`{"${echo}": 1}`,
	`[[{"a":{"b":["x","${echo}"]},"n":12345678901234567890}]]`,
	`"${echo}"`,
];

describe.each(Object.entries(JSON_FORMS))('an answer that holds a token %s', (_name, write) => {
	test('parses, and holds it nowhere', () => {
		fc.assert(
			fc.property(realToken, around, around, choices, (token, before, after, numbers) => {
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
			fc.property(realToken, around, choices, (token, before, numbers) => {
				const echo = write(token, numbers);
				const result = shown(`${before} ${echo}`, token);
				return !result.includes(token) && !result.includes(echo) && result.includes(MASK);
			}),
		);
	});
});

describe.each(Object.entries(URL_FORMS))('a URL that holds a token %s', (_name, write) => {
	test('does not in a header, nor in an answer', () => {
		fc.assert(
			fc.property(realToken, choices, (token, numbers) => {
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

test('a long text of encoded characters loses the token only', () => {
	const text = '%41\\/'.repeat(200_000);
	expect(shown(text)).toBe(text);
	expect(shown(`${text}${encodeURIComponent(TOKEN)}${text}`)).toBe(`${text}${MASK}${text}`);
});
