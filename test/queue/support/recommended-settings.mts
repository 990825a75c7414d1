import { readDocument, sectionOf } from '../../support/docs/documents.mts';
import { nodesOf, rowsOf, textOf } from '../../support/docs/markdown.mts';

const readProduction = async () => await readDocument('docs/production.md');

/** The table of settings in `docs/production.md`: name, recommended value, n8n's default. */
export async function settingRows() {
	const section = sectionOf(await readProduction(), 'Settings');
	return rowsOf(section, 'Recommended').map((row) => {
		const cell = (column: string) => (row[column] === undefined ? '' : textOf(row[column]));
		const byDefault = cell("n8n's default");
		return { name: cell('Setting'), recommended: cell('Recommended'), byDefault };
	});
}

/** The settings that `docs/production.md` recommends, by name. */
export async function recommendedSettings(): Promise<Record<string, string>> {
	const rows = await settingRows();
	if (rows.length === 0) throw new Error('docs/production.md recommends no settings');
	return Object.fromEntries(rows.map(({ name, recommended }) => [name, recommended]));
}

/** The quotations about a worker that dies in `docs/production.md`, each on one line. */
export async function quotations(): Promise<string[]> {
	const { nodes } = sectionOf(await readProduction(), 'When a worker dies');
	const quotes = nodes.flatMap((node) => nodesOf(node, 'blockquote'));
	return quotes.map((quote) => textOf(quote).replaceAll(/\s+/g, ' '));
}
