import type { Nodes } from 'mdast';
import { readDocument, sectionOf } from '../../support/docs/documents.mts';
import { nodesOf, rowsOf, textOf } from '../../support/docs/markdown.mts';

/** A setting of n8n in the document's table. */
export interface SettingRow {
	name: string;
	recommended: string;
	/** n8n's default. */
	byDefault: string;
}

const readProduction = async () => await readDocument('docs/production.md');

const cell = (node: Nodes | undefined): string => (node === undefined ? '' : textOf(node));

/** The table of settings for queue mode in `docs/production.md`. */
export async function settingRows(): Promise<SettingRow[]> {
	const section = sectionOf(await readProduction(), 'Settings for queue mode');
	return rowsOf(section, 'Recommended').map((row) => ({
		name: cell(row.Setting),
		recommended: cell(row.Recommended),
		byDefault: cell(row["n8n's default"]),
	}));
}

/** The settings that `docs/production.md` recommends, by name. */
export async function recommendedSettings(): Promise<Record<string, string>> {
	const rows = await settingRows();
	if (rows.length === 0) throw new Error('docs/production.md recommends no settings');
	return Object.fromEntries(rows.map(({ name, recommended }) => [name, recommended]));
}

/** The quotations in `docs/production.md`, each on one line. */
export async function quotations(): Promise<string[]> {
	const { content } = await readProduction();
	return nodesOf(content, 'blockquote').map((quote) => textOf(quote).replaceAll(/\s+/g, ' '));
}
