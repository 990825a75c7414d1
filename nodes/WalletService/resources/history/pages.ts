import { unexpectedAnswer } from '../../request/http/answer';
import type { ServiceClient } from '../../request/http/service-client';
import { Listing } from './listing';
import type { GivenEntry } from './transfer';
import { givenEntries, isTransfer, timeOf } from './transfer';

/** Maximum number of pages of one history. */
export const MAX_PAGES = 1000;

/** A shorter list, of a service without pages, counts as the whole history. */
export const SMALLEST_WINDOW = 10;

/** One page of a history. */
export interface HistoryPage {
	/** The service's JSON, unchanged. */
	readonly value: unknown;
	/** Numbered from the beginning of the history. @throws ServiceError if the page is not a list */
	readonly entries: readonly GivenEntry[];
	/** Whether there is certainly no older page. */
	readonly isLast: boolean;
	/** Why older transfers may be missing behind it, or are, if no page follows; a sentence. */
	readonly lacks?: string;
}

/** Whether a number of entries looks like the length of a page: 25, 50, 100 and other round numbers. */
const isPageLength = (count: number): boolean =>
	count >= SMALLEST_WINDOW && (count % 10 === 0 || count % 25 === 0);

/**
 * Requests a history page by page, in the order of the service, by the `Link` of each answer (`rel="next"`). The consumer
 * ends it when it has enough.
 *
 * @param url path of the first page
 * @throws ServiceError also if a page leads back to an earlier one
 */
export async function* pagesOf(
	client: ServiceClient,
	url: string,
	options: { readonly fresh?: boolean } = {},
): AsyncGenerator<HistoryPage> {
	const asked = new Set<string>();
	let count = 0;
	for (let next: string | undefined = url; next !== undefined; ) {
		if (asked.has(next)) throw unexpectedAnswer('a further page of the history', next);
		asked.add(next);
		const { value, links } = await client.getPage(next, options);
		const before = count;
		count += Array.isArray(value) ? value.length : 0;
		const isOver = asked.size >= MAX_PAGES;
		next = isOver ? undefined : links.next;
		const lacks = lackOf(count, asked.size, { ...links, isOver });
		yield {
			value,
			get entries() {
				return givenEntries(value, before);
			},
			isLast: links.isPaged && !links.hasNext,
			lacks,
		};
	}
}

interface PageEnd {
	readonly isPaged: boolean;
	readonly hasNext: boolean;
	readonly next?: string;
	readonly isOver: boolean;
}

function lackOf(count: number, pages: number, end: PageEnd): string | undefined {
	if (end.hasNext && end.isOver)
		return `Older transfers are missing: only the newest ${pages} pages of the history are read`;
	if (end.hasNext)
		return end.next === undefined
			? 'Older transfers are missing: the address of their page is not below the base URL of the credential'
			: undefined;
	if (end.isPaged || !isPageLength(count)) return undefined;
	return `Older transfers may be missing: the service listed exactly ${count} and no further page`;
}

/** Whether a page contains a transfer that is older than a time. @throws ServiceError if it is not a list */
export const reachesBackTo = ({ entries }: HistoryPage, since: number): boolean =>
	new Listing(entries.filter(isTransfer)).reachesBackTo(since);

/** Whether the newest transfer of a page is its first one, so that the next page is older. */
export function isFalling({ entries }: HistoryPage): boolean {
	const transfers = entries.filter(isTransfer);
	const [first, last] = [transfers.at(0), transfers.at(-1)];
	return first !== undefined && last !== undefined && timeOf(first) > timeOf(last);
}
