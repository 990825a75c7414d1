/** The codes of docs/errors.md are the ones of the code. */
import { FAILURE_CODES } from '../../../nodes/WalletService/request/failure/failure-code.ts';
import { readDocument } from '../../support/docs/documents.mts';
import { rowsOf, textOf } from '../../support/docs/markdown.mts';

test('every code is documented, and no other', async () => {
	const { sections } = await readDocument('docs/errors.md');
	const rows = sections.flatMap((section) => rowsOf(section, 'code'));
	expect(rows.map(({ code }) => code && textOf(code))).toEqual([...FAILURE_CODES]);
});
