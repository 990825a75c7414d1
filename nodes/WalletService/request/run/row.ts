import type { IDataObject } from 'n8n-workflow';

import { isAddress, shortAddress } from '../../values/address';
import { foreignWords } from '../../values/quote';

/** Columns that say whom a payment is for, the clearest first. */
const WHOM = [/^(full[ _]?)?name$/i, /^(recipient|user([ _]?id)?|to|wallet|address)$/i];

function whomOf(json: IDataObject): string {
	const columns = Object.entries(json);
	const found = WHOM.map((form) => columns.find(([column]) => form.test(column))?.[1]);
	const [whom = ''] = found.filter((one) => one !== undefined && one !== '');
	return isAddress(whom) ? shortAddress(whom) : foreignWords(whom);
}

/**
 * The row of an item as its table calls it, and whom it is for: spreadsheets have row numbers, data tables IDs.
 *
 * @param index of the item, from 0
 */
export function rowOf(json: IDataObject, index: number): string {
	const { row_number: number, id } = json;
	const whom = whomOf(json);
	const place =
		typeof number === 'number'
			? `row ${number}`
			: typeof id === 'number'
				? `row with id ${id}`
				: `row ${index + 1}`;
	return whom === '' ? place : `${place} (${whom})`;
}
