import { urlOf } from '../../values/urls';

/** What the header `Link` of an answer says about further pages (RFC 8288). */
export interface PageLinks {
	/** Whether the service divides its answer into pages, so that one without a next page is the last. */
	readonly isPaged: boolean;
	/** Whether there is a next page. */
	readonly hasNext: boolean;
	/** Path and query of the next page, beginning with `/v1`; absent if it is not below the base URL. */
	readonly next?: string;
}

const OF_PAGES = new Set(['first', 'prev', 'previous', 'next', 'last']);

/** The targets and relations of a header. */
function linksIn(header: string): { readonly target: string; readonly relations: string[] }[] {
	return [...header.matchAll(/<([^<>]*)>([^<]*)/g)].map(([, target = '', parameters = '']) => {
		const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i.exec(parameters) ?? [];
		return { target, relations: (quoted ?? plain ?? '').toLowerCase().split(/\s+/) };
	});
}

/**
 * Reads the links of an answer. Only a page of the same service is followed: the request for it carries the access token.
 *
 * @param requested path of the request, beginning with `/v1`
 * @param baseUrl normalized base URL of the credential
 * @example pageLinks('<?before=7>; rel="next"', '/v1/users/A-1/history', 'https://w.example').next // '/v1/users/A-1/history?before=7'
 */
export function pageLinks(header: unknown, requested: string, baseUrl: string): PageLinks {
	const links = linksIn([header].flat().join(', '));
	const isPaged = links.some(({ relations }) => relations.some((one) => OF_PAGES.has(one)));
	const found = links.find(({ relations }) => relations.includes('next'));
	if (found === undefined) return { isPaged, hasNext: false };
	const base = urlOf(baseUrl);
	const asked = `${baseUrl}${requested}`;
	const target = URL.canParse(found.target, asked) ? new URL(found.target, asked) : undefined;
	const prefix = base?.pathname.replace(/\/$/, '') ?? '';
	const isBelow =
		target?.origin === base?.origin && target?.pathname.startsWith(`${prefix}/v1/`) === true;
	if (target === undefined || !isBelow) return { isPaged, hasNext: true };
	return { isPaged, hasNext: true, next: target.pathname.slice(prefix.length) + target.search };
}
