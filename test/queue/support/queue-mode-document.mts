import { readDocument, sectionOf } from '../../support/docs/documents.mts';
import { nodesOf, rowsOf, textOf } from '../../support/docs/markdown.mts';

const readQueueMode = async () => await readDocument('docs/queue-mode.md');

/** The table of settings for queue mode in `docs/queue-mode.md`: name, recommended value, n8n's default. */
export async function settingRows() {
	const section = sectionOf(await readQueueMode(), 'Settings for queue mode');
	return rowsOf(section, 'Recommended').map((row) => {
		const cell = (column: string) => (row[column] === undefined ? '' : textOf(row[column]));
		const byDefault = cell("n8n's default");
		return { name: cell('Setting'), recommended: cell('Recommended'), byDefault };
	});
}

/** The settings that `docs/queue-mode.md` recommends, by name. */
export async function recommendedSettings(): Promise<Record<string, string>> {
	const rows = await settingRows();
	if (rows.length === 0) throw new Error('docs/queue-mode.md recommends no settings');
	return Object.fromEntries(rows.map(({ name, recommended }) => [name, recommended]));
}

/** The quotations in `docs/queue-mode.md`, each on one line. */
export async function quotations(): Promise<string[]> {
	const { content } = await readQueueMode();
	return nodesOf(content, 'blockquote').map((quote) => textOf(quote).replaceAll(/\s+/g, ' '));
}
