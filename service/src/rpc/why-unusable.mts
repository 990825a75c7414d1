/** Why no chain answers at the URLs of endpoints, in words that name their hosts only: URLs contain access keys. */
import { addressOf } from './client.mts';
import { ChainUnavailable } from './failures.mts';
import { nameOf } from './words.mts';

/** Maximum number of characters of an answer that are looked at. */
const MOST = 100_000;

/** What the HTTP status of an answer says about the URL. */
const STATUSES: Partial<Record<number, string>> = {
	401: 'refuses the access key in its URL',
	403: 'refuses the access key in its URL',
	404: 'has nothing at the path of its URL',
	429: 'has reached the limit of its access key',
};
/** How endpoints call a refused key in an answer with another status. */
const OF_KEY = /unauthori[sz]ed|forbidden|authenticat|api.?key|project.?id|access denied/i;

/** What a failure without an answer says about the URL. */
const FAILURES: readonly (readonly [code: RegExp, problem: string])[] = [
	[/^(?:ENOTFOUND|EAI_)/, 'is not a known host'],
	[/CERT|TLS|SSL|SIGNATURE|EPROTO/, 'has no valid certificate, or does not speak HTTPS'],
	[/^(?:TimeoutError|UND_ERR_\w*TIMEOUT)$/, 'does not answer in time'],
];

function problemOf(status: number, text: string): string {
	if (status >= 300 && status < 400) return 'refers to another address: use that one as its URL';
	const named = STATUSES[status];
	if (named !== undefined) return named;
	try {
		const { error, result } = Object(JSON.parse(text));
		if (typeof result === 'string') return 'does not show the first block of its chain';
		if (error !== undefined && OF_KEY.test(JSON.stringify(error))) {
			return 'refuses the access key in its URL';
		}
	} catch {
		// Such as a page for people.
	}
	return 'does not speak JSON-RPC at its URL';
}

/** @returns undefined if nothing answers */
async function problemAt(given: string, limitMs: number): Promise<string | undefined> {
	const { url, headers } = addressOf(given);
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers,
			body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
			redirect: 'manual',
			signal: AbortSignal.timeout(limitMs),
		});
		const problem = problemOf(response.status, (await response.text()).slice(0, MOST));
		return `${nameOf(url)} ${problem} (HTTP status ${response.status})`;
	} catch (error) {
		const { name = '', cause }: { name?: string; cause?: { code?: string } } = Object(error);
		const code = cause?.code ?? name;
		const problem = FAILURES.find(([form]) => form.test(code))?.[1];
		return problem === undefined ? undefined : `${nameOf(url)} ${problem}`;
	}
}

/** One sentence about each of these endpoints, none of which can be used. @param limitMs time limit for an answer, in milliseconds */
export async function whyUnusable(urls: readonly string[], limitMs: number): Promise<string> {
	const problems = await Promise.all(urls.map(async (url) => await problemAt(url, limitMs)));
	const silent = urls.filter((_url, place) => problems[place] === undefined);
	const hosts = silent.map((url) => nameOf(addressOf(url).url)).join(', ');
	const told = problems.filter((problem) => problem !== undefined);
	return [...(silent.length > 0 ? [`No chain answers at ${hosts}`] : []), ...told].join('; ');
}

/** Waits until a chain answers. @throws ChainUnavailable with what is wrong about each URL */
export async function orSayWhy<T>(
	chain: Promise<T>,
	urls: readonly string[],
	limitMs: number,
): Promise<T> {
	return await chain.catch(async (cause: unknown) => {
		if (!(cause instanceof ChainUnavailable)) throw cause;
		throw new ChainUnavailable(await whyUnusable(urls, limitMs), { cause });
	});
}
