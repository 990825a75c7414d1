/** ABIs as they are copied: some entries, a table of a terminal, a part. */
import { fn } from '../../support/contract/samples.mts';
import { parseAbi } from '../../support/steps.mts';

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

const PYTHON = TEXT.replaceAll('"', "'");
const IN_JSON = JSON.stringify(TEXT);
const IN_PAGE = TEXT.replaceAll('"', '&quot;');

it.each<[string, string]>([
	['a sentence', `Here is the ABI of the contract (verified): ${TEXT}`],
	['the headings of Etherscan', `Contract ABI \nExport ABI\n\n${TEXT}\nCopy`],
	['the buttons of a sibling', `Contract ABI  \n Copy ABI to clipboard\n${TEXT}`],
	['a call in Python', `contract = w3.eth.contract(address="0x12", abi=${PYTHON})`],
	['a call in Python with JSON', `contract(abi='${TEXT}')`],
	['a call with a loader', `c = contract(\n  address=to("0x12"),\n  abi=json.loads('${TEXT}'),\n)`],
	['a call in JavaScript', `const c = new ethers.Contract("0x12", ${TEXT}, provider);`],
	['a call with lines', `new Contract(address, ["${LINE}"], signer)`],
	['an element of a page', `<pre>${TEXT}</pre>`],
	['an element of Etherscan', `<pre class="wordwrap" id="js-copytextarea2">${IN_PAGE}</pre>`],
	['a text field', `<div class="x"><textarea readonly>${TEXT}</textarea></div>`],
	['a macro of Rust', `abigen!(A, r#"${TEXT}"#);`],
	['an answer with code in a sentence', `The \`a\` [docs](x):\n\n\`\`\`json\n${TEXT}\n\`\`\``],
	[
		'an answer of Blockscout behind its address',
		`GET /api?module=contract\n{"message":"OK","result":${IN_JSON}}`,
	],
	['an answer of Sourcify behind a heading', `200 OK\n{"abi":${TEXT},"matchId":"1"}`],
	[
		'an artifact with its source behind a sentence',
		`The artifact: {"abi":${TEXT},"source":"contract A {\\n  function b() public {}\\n}"}`,
	],
	[
		'an artifact behind a sentence',
		`The artifact: {"contractName":"A","abi":${TEXT},"ids":[{"a":1}]}`,
	],
])('parseAbi reads the ABI in %s', (_what, source) => {
	const { functions, unreadable } = parseAbi(source);
	expect(functions.map(({ key }) => key)).toEqual(['a()']);
	expect(unreadable).toBeUndefined();
});

it('parseAbi takes no list for an ABI that is in a comment of Solidity', () => {
	const source = `/// Example [{"a": 1}]\ninterface A { function a(uint[] x) external; }`;
	expect(parseAbi(source).functions.map(({ key }) => key)).toEqual(['a(uint256[])']);
});

it.each<[string, RegExp]>([
	['Contract source code not verified', /^There is "Contract source code .*" in place of an ABI$/],
	['https://etherscan.io/address/0x12#code', /^There is "https:.*" in place of an ABI$/],
	['<!DOCTYPE html><html><body>Not found</body></html>', /^There is "Not found" in place/],
	['0x6080604052', /^There is "0x6080604052" in place of an ABI$/],
	[
		`Here is the ABI: ${TEXT.slice(0, -3)}`,
		/^The contract ABI is not JSON: it breaks off behind ".*"$/,
	],
	[`ABI of A: ${TEXT} ABI of B: ${TEXT}`, /^The contract ABI is followed by another$/],
])('parseAbi states what it found in place of an ABI: %s', (source, message) => {
	expect(() => parseAbi(source)).toThrow(message);
});
