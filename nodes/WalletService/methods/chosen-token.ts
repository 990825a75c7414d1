import type { INodeListSearchItems } from 'n8n-workflow';

import type { ReadParameter } from '../request/run/read-parameter';
import { isAddress, shortAddress } from '../values/address';
import { defined, isItem } from '../values/objects';
import { linkOf } from '../values/urls';

type ChosenToken = INodeListSearchItems & { readonly value: string };

/** The token that the form or its filter already holds, as n8n has stored it. */
export function chosenToken(read: ReadParameter): ChosenToken | undefined {
	const given = read('token', read('filters.token', ''));
	if (!isItem(given) || !isAddress(given.value)) return undefined;
	const { value, cachedResultName: name, cachedResultUrl } = given;
	const shown = typeof name === 'string' && name !== '' ? name : shortAddress(value);
	return defined({ name: shown, value, description: value, url: linkOf(cachedResultUrl) });
}

/** Puts the chosen token first into a list, once: as it is stored, with the name that its contract has at present. */
export function withChosen(
	chosen: ChosenToken | undefined,
	listed: readonly INodeListSearchItems[],
): INodeListSearchItems[] {
	if (chosen === undefined) return [...listed];
	const isChosen = ({ value }: INodeListSearchItems): boolean =>
		String(value).toLowerCase() === chosen.value.toLowerCase();
	const first = { ...chosen, ...listed.find(isChosen), value: chosen.value };
	return [first, ...listed.filter((one) => !isChosen(one))];
}
