/** Human-readable ABIs are split into declarations in linear time. */
import { declarationsIn } from '../../../../nodes/WalletService/contract/source/declarations.ts';
import { tokensOf } from '../../../../nodes/WalletService/contract/source/signature-reader.ts';
import { atOnce, parseAbi } from '../../support/steps.mts';

const keysOf = (text: string) => parseAbi(text).functions.map(({ key }) => key);
const problemOf = (text: string) => parseAbi(text).unreadable?.message;

it('declarations keep their bodies, whose statements are not functions', () => {
	const text = `
		struct S { uint a; }
		modifier only() { require(ok(), "no; (way"); _; }
		function a() external only { b(); c(1); if (x) { d(); } }
		function e(uint x) public { emit F(x); }
		enum G { A, B }
		using H for I; type J is uint256; error K(uint x);`;
	expect(keysOf(text)).toEqual(['a()', 'e(uint256)']);
	expect(problemOf(text)).toBeUndefined();
});

it('declarations end with their bodies, whatever is wrong in those', () => {
	expect(keysOf('a() { x; } b(bool) { y; } function c() {}')).toEqual(['a()', 'b(bool)', 'c()']);
	expect(keysOf('function a() { g(; h(); }\nb()')).toEqual(['a()', 'b()']);
	expect(problemOf('function a() {\n}\nb()')).toBeUndefined();
});

it('declarations are refused together if the semicolon between them is missing', () => {
	const text = 'function a() external\nfunction b();\nerror E(uint x);\nfunction c();';
	expect(keysOf(text)).toEqual(['c()']);
	expect(problemOf(text)).toMatch(
		/On line 1: At character 23, "function": this word is not allowed/,
	);
});

it('declarations are reported by line, whatever is between them', () => {
	const text = '// one\r\na()\r\n\r\n/* three\nfour */ bad one\n\n"quoted // text" b()\n';
	expect(keysOf(text)).toEqual(['a()']);
	expect(problemOf(text)).toMatch(/^2 entries .*: On line 5: At character 5, "one"/);
});

it('declarations do not vanish in a comment or a body that is never closed', () => {
	const comment = 'a()\nb(bool) /* oops\nc(uint256)\n';
	expect(keysOf(comment)).toEqual(['a()']);
	expect(problemOf(comment)).toMatch(/^One entry .*On line 2: .*comment is never closed/);
	const body = 'a();\nb(bool) { x;\nc(uint256);\n';
	expect(keysOf(body)).toEqual(['a()']);
	expect(problemOf(body)).toMatch(/^One entry .*On line 2: At character 9, "\{": .*never closed/);
});

it('declarations may extend over several lines without a semicolon', () => {
	const text = [
		'function swap(\n\taddress from,\n\ttuple(\n\t\tuint256 a\n\t) b\n)',
		'\texternal\n\tpayable\n\toverride(A, B)\n\treturns (\n\t\tuint256 c\n\t)',
		'function b(\n\tbool\n)\nc()\n',
	].join('\n');
	for (const source of [text, text.replaceAll('\n', '\r\n'), JSON.stringify([text])])
		expect([problemOf(source), ...keysOf(source)]).toEqual([
			...[undefined, 'swap(address,(uint256))', 'b(bool)', 'c()'],
		]);
	for (const wrong of ['a(bool', 'a(', 'a)', 'a(bool))'])
		for (const next of ['b(bool)', 'function b(bool)'])
			expect(keysOf(`${wrong}\n${next}\nc()`)).toEqual(['b(bool)', 'c()']);
});

it('declarations may be the points of a list', () => {
	for (const text of [
		'- a()\n- b(bool)',
		'• a()\n* b(bool)\n',
		'1. a()\n12. b(bool)',
		'a(),\nb(bool),',
		'- `a()`\n- `b(bool)`',
	])
		expect([problemOf(text), ...keysOf(text)]).toEqual([undefined, 'a()', 'b(bool)']);
	expect(problemOf('-> a()\n.b()')).toMatch(/^2 entries/);
});

it('declarations may all be of other kinds', () => {
	expect(() => parseAbi('event A(uint x)\nconstructor()\n')).toThrow(/contains no function/);
	expect(keysOf('error(uint)\nevent(uint8)')).toEqual(['error(uint256)', 'event(uint8)']);
});

const LENGTH = 480_000;
const repeated = (part: string) => part.repeat(LENGTH / part.length);

it.each([
	...['/*', '/* ', '/*/', '/**/', '/*\n', '//', '//\n', '/ * ', '"', '"\n', '"\'', '\\"'],
	...[
		'import {',
		'contract {',
		'"\\"\n',
		'f("\'\n',
		'a()\n/*',
		'((',
		'}{',
		'(}',
		'){',
		'; ',
		'\r\n',
		'f(uint7) ',
	],
])('the work for a long text of %j grows with its length', (part) => {
	const before = process.cpuUsage();
	atOnce(declarationsIn(repeated(part)));
	expect(atOnce(tokensOf(repeated(part))).length).toBeLessThanOrEqual(LENGTH);
	// Quadratic work takes minutes.
	expect(process.cpuUsage(before).user).toBeLessThan(30_000_000);
});

it('the work for a long text stops at the first comment that is never closed', () => {
	expect(atOnce(tokensOf(`a ${repeated('/* ')}`)).map(({ text }) => text)).toEqual(['a', '/*']);
	expect(problemOf(repeated('/* '))).toMatch(/^One entry .*On line 1: /);
});

it('a declaration has at most 50,000 characters, with its body', () => {
	const text = (length: number) => `a()\nf() {${' '.repeat(length - 6)}}\n`;
	expect(keysOf(text(50_000))).toEqual(['a()', 'f()']);
	expect(keysOf(text(50_001))).toEqual(['a()']);
	expect(problemOf(text(50_001))).toBe(
		'One entry of the ABI cannot be read: On line 2: the declaration has 50001 characters',
	);
});
