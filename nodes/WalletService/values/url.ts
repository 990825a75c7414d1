/**
 * A text as a URL; `undefined` when it is none. `URL.parse` does the same, but is unknown to versions of Node.js that the oldest
 * n8n runs on (20.15).
 *
 * @example urlOf('https://wallet.example.com/v1')?.host // 'wallet.example.com'
 */
export function urlOf(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}
