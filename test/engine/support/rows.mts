import type { IDataObject } from 'n8n-workflow';

/** Items of payments. */
export const rows = (...amounts: string[]): IDataObject[] => amounts.map((amount) => ({ amount }));

/** What became of each item: true, or the code of its error. */
export const marksOf = (items: readonly { readonly json: IDataObject }[]): unknown[] =>
	items.map(({ json }) => json.replayed ?? json.submitted ?? Object(json.details).code);

/** Which items only repeat the answer of an earlier write. */
export const replaysOf = (items: readonly { readonly json: IDataObject }[]): unknown[] =>
	items.map(({ json }) => json.replayed ?? false);
