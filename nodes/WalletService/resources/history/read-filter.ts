import type { Item } from '../../request/run/item';
import { parseWholeAmount } from '../../values/amount';
import { parseChoice } from '../../values/choice';
import { isItem } from '../../values/objects';
import { parseTime } from '../../values/clock';
import { parseTokenFilter } from '../read-token';
import type { TransferFilter } from './filter';
import { checkFilter, DIRECTIONS } from './filter';
import { filters } from './filter-parameters';

/**
 * Reads which transfers an item asks for; an empty filter takes all.
 *
 * @throws InvalidInputError that names the filter which is not right.
 */
export function readFilter(item: Item): TransferFilter {
	const given = item.read(filters.name, filters.default);
	const fields = isItem(given) ? given : {};
	const { direction = 'any', token, minimumAmount = '', since = '' } = fields;
	return checkFilter({
		direction: parseChoice(direction, DIRECTIONS, 'direction'),
		tokenAddress: parseTokenFilter(token)?.toLowerCase(),
		minimumAmount:
			minimumAmount === '' ? undefined : parseWholeAmount(minimumAmount, 'minimumAmount'),
		since: since === '' ? undefined : parseTime(since, 'since'),
	});
}
