/** The node accepts the signatures and arguments of the documents. */
import { encodeArguments } from '../../../nodes/WalletService/contract/arguments.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import type { Section } from '../../support/docs/markdown.mts';
import { readDocument, sectionOf } from '../../support/docs/documents.mts';
import { nodesOf, rowsOf } from '../../support/docs/markdown.mts';
import { resolveBy } from '../support/contract/resolve.mts';

const ANY_ADDRESS = `0x${'1'.repeat(40)}`;
const TOKEN = { address: ANY_ADDRESS, decimals: 6, symbol: 'SUSD' };

async function section(title: string): Promise<Section> {
	return sectionOf(await readDocument('docs/resources/contract.md'), title);
}

/** The pieces of code in each cell of a column. */
const codesOf = (table: Section, column: string): string[][] =>
	rowsOf(table, column).map(({ [column]: cell }) =>
		cell === undefined ? [] : nodesOf(cell, 'inlineCode').map(({ value }) => value),
	);

test('every signature', async () => {
	const signatures = codesOf(await section('Writing a signature'), 'Written').flat();
	expect(signatures.length).toBeGreaterThan(3);
	for (const signature of signatures) expect(() => parseSignature(signature)).not.toThrow();
});

test('every argument', async () => {
	const table = await section('Writing an argument');
	const types = codesOf(table, 'Type').map(([type = '']) => type);
	expect(types.length).toBeGreaterThan(5);
	for (const [index, examples] of codesOf(table, 'Example').entries()) {
		const contractFunction = parseSignature(`f(${types[index]} x)`);
		for (const example of examples) {
			const resolve = {
				...resolveBy({ token: TOKEN }),
				user: async () => await Promise.resolve(ANY_ADDRESS),
			};
			expect(await encodeArguments(contractFunction, [example], 'args', resolve)).toHaveLength(1);
		}
	}
});
