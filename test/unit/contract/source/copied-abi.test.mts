/** ABIs as they are copied: some entries, a table of a terminal, a part. */
import { parseAbi } from '../../../../nodes/WalletService/contract/source/abi.ts';
import { fn } from '../../support/contract/samples.mts';

const TEXT = JSON.stringify([fn('a', [], 'uint256', 'view')]);
const LINE = 'function a() view returns (uint256)';

it.each([
	['entries without brackets', ', '],
	['an entry per line', '\n'],
	['an entry per line, with commas', ',\n'],
])('parseAbi reads %s', (_what, separator) => {
	const entries = ['a', 'b'].map((name) => JSON.stringify(fn(name, [], 'uint256', 'view')));
	for (const source of [entries.join(separator), `${entries.join(separator)},\n`])
		expect(parseAbi(source).functions.map(({ key }) => key)).toEqual(['a()', 'b()']);
	const lines = `"${LINE}"${separator}"function b(bool)"`;
	expect(parseAbi(lines).functions.map(({ key }) => key)).toEqual(['a()', 'b(bool)']);
});

it.each([
	[
		'forge inspect abi',
		['function    | a() view returns (uint256)', 'function    | b(bool) nonpayable '],
		['event       | E(uint256)', 'error       | F(bool) '],
	],
	['forge inspect methods', ['a()', 'b(bool)     '], []],
])('parseAbi reads the table of %s', (_what, functions, others) => {
	const rows = [...functions, ...others].map((row) => `| ${row} | 0x0dbe671f |`);
	const table = [
		'╭------+-----╮',
		'| Type | Selector |',
		'+============+',
		...rows,
		'╰------+-----╯',
	];
	for (const text of [table.join('\n'), table.join('\r\n').replaceAll('0x', '')]) {
		const abi = parseAbi(text);
		expect([abi.unreadable, ...abi.functions.map(({ key }) => key)]).toEqual([
			...[undefined, 'a()', 'b(bool)'],
		]);
	}
});

it('parseAbi reads the functions behind a table in a comment', () => {
	const source = `/*\n| b(bool) | 0x0dbe671f |\n*/\ninterface A { ${LINE.replace('view', 'external view')}; }`;
	expect(parseAbi(source).functions.map(({ key }) => key)).toEqual(['a()']);
});

it('parseAbi does not take an ABI that was cut off for two', () => {
	for (const end of [1, 20, TEXT.length - 2]) {
		const source = TEXT.slice(0, -end);
		expect(() => parseAbi(source)).toThrow(/^The contract ABI is not JSON/);
		expect(() => parseAbi(`const abi = ${source}`)).toThrow(/^The contract ABI is not JSON/);
	}
});
