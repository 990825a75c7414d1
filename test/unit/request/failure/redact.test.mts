/** The access token is removed from text, whether plain, JSON-escaped or percent-encoded; the rest remains. */
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
import { forAll } from '../../support/for-all.mts';

const MASK = '[access token removed]';
const TOKEN = 'eyJ0/YWxn+iJub25l.sig_-~Q==';
const IN_URL = encodeURIComponent(TOKEN);

const shown = (text: string, token = TOKEN): string => redact(text, `Bearer ${token}`);

const ODD = `{"n":12345678901234567890, "e":"\\u0041\\n\\"${TOKEN}\\"","m":[1.50,null]}`;
const often = (text: string) => `${text.repeat(2)} ${`x${text}`.repeat(9)}`;

test.each<[name: string, text: string, expected: string, token?: string]>([
	['raw', `a ${TOKEN} b`, `a ${MASK} b`],
	['often', often(TOKEN), often(MASK)],
	['with escaped slashes', `{"e":"x ${TOKEN.replace('/', '\\/')} y"}`, `{"e":"x ${MASK} y"}`],
	['with its first slash escaped', '{"e":"\\/abcdefgh"}', `{"e":"${MASK}"}`, '/abcdefgh'],
	['that looks encoded', 'a %41bc\\/ b %2541bc%5C%2F', `a ${MASK} b ${MASK}`, '%41bc\\/'],
	['in a name', `{"${TOKEN}":1}`, `{"${MASK}":1}`],
	['in a URL', `https://x/?t=${IN_URL}&u=%2F`, `https://x/?t=${MASK}&u=%2F`],
	['within other encoded characters', `\\u0041%41${IN_URL}\\/`, `\\u0041%41${MASK}\\/`],
	['beside numbers and escapes', ODD, ODD.replace(TOKEN, MASK)],
])('the rest of an answer remains: %s', (_name, text, expected, token = TOKEN) => {
	expect(shown(text, token)).toBe(expected);
});

describe('invisible characters do not split a token: cleaning would put it together again', () => {
	const split = (by: string) =>
		`${TOKEN.slice(0, 5)}${by}${TOKEN.slice(5, 9)}${by}${by}${TOKEN.slice(9)}`;

	// They include a soft hyphen, a control character, a variation selector, a tag of two code units, and JSON escapes.
	const invisible = [
		...['\u200b', '\u00ad', '\u0007', '\ufeff', '\ufe0f', '\u{e0041}'],
		...['\\u200b', '\\b'],
	];

	test.each(invisible)('%j', (by) => {
		const text = `😀 \u200b"${split(by)}" \u200b${TOKEN} 😀\u200b`;
		expect(shown(text)).toBe(`😀 \u200b"${MASK}" \u200b${MASK} 😀\u200b`);
	});

	test('white space does', () => {
		for (const by of [' ', '\n', '\u2003']) expect(shown(split(by))).toBe(split(by));
	});
});

const none = [undefined, '', 'Bearer ', 'Bearer', 'Bearer   ', 'Bearer a', 'Bearer abc'];

test.each([...none, 'Bearer other-token'])(
	'text without the token is unchanged: %j',
	(authorization) => {
		const text = '{"Bearer":"a abc abcabc Bearer \\u0061\\/%61 YWJj"}';
		expect(redact(text, authorization)).toBe(text);
	},
);

test('four characters are a token, even after a pasted word Bearer', () => {
	expect(redact('abcd', 'Bearer abcd')).toBe(MASK);
	expect(redact('abcd-efgh', 'Bearer Bearer abcd-efgh')).toBe(MASK);
});

test('a token too short to be real remains inside a hash', () => {
	const hash = `0x${'0000'.repeat(16)}`;
	const text = redact(`{"hash":"${hash}","e":"0000 ${hash}00"}`, 'Bearer 0000');
	expect(text).toBe(`{"hash":"${hash}","e":"${MASK} 0x${MASK.repeat(16)}00"}`);
	const long = '0123456789abcdef';
	expect(redact(`0x${long.repeat(4)}`, `Bearer ${long}`)).toBe(`0x${MASK.repeat(4)}`);
});

test('text without the token is unchanged, whatever it contains', async () => {
	await forAll([fc.json(), realToken], 100, (text, token) => {
		fc.pre(!text.includes(token));
		return shown(text, token) === text;
	});
});

test('a token that looks like the words in its place is removed as well', () => {
	expect(shown('x token %74oken y', 'token')).toBe(`x ${MASK} ${MASK} y`);
});

const answers = (echo: string): string[] => [
	`{"error":"${echo}"}`,
	`{"${echo}": 1}`,
	`[[{"a":{"b":["x","${echo}"]},"n":12345678901234567890}]]`,
	`"${echo}"`,
];

describe.each(Object.entries(JSON_FORMS))('an answer with a token %s', (_name, write) => {
	test('can be parsed, and contains it nowhere', async () => {
		await forAll([realToken, around, around, choices], 100, (token, before, after, numbers) => {
			const echo = write(`${before}${token}${after}`, numbers);
			for (const answer of answers(echo)) {
				const result = shown(answer, token);
				const texts = textsIn(JSON.parse(result));
				expect(texts.filter((text) => text.includes(token))).toEqual([]);
				expect(texts.join()).toContain(MASK);
			}
		});
	});

	test('contains it nowhere if it is not JSON, either', async () => {
		await forAll([realToken, around, choices], 100, (token, before, numbers) => {
			const echo = write(token, numbers);
			const result = shown(`${before} ${echo}`, token);
			return !result.includes(token) && !result.includes(echo) && result.includes(MASK);
		});
	});
});

describe.each(Object.entries(URL_FORMS))('a URL with a token %s', (_name, write) => {
	test('loses it in a header and in an answer', async () => {
		await forAll([realToken, choices], 100, (token, numbers) => {
			const echo = write(token, numbers);
			const url = `https://wallet.example.com/login?next=%2F&t=${echo}&x=1`;
			const header = shown(url, token);
			expect(header).not.toContain(echo);
			expect(header).not.toContain(token);
			expect(header).toMatch(/^https:\/\/wallet\.example\.com\/login\?next=.*&x=1$/);
			const parsed: unknown = JSON.parse(shown(JSON.stringify({ url }), token));
			expect(textsIn(parsed)).toEqual(['url', header]);
		});
	});
});

test('a long text of encoded characters loses only the token', () => {
	const text = '%41\\/'.repeat(200_000);
	expect(shown(text)).toBe(text);
	expect(shown(`${text}${encodeURIComponent(TOKEN)}${text}`)).toBe(`${text}${MASK}${text}`);
});
