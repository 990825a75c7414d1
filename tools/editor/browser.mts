import { chromium, type Browser } from 'playwright-core';

export type { Browser, Locator, Page } from 'playwright-core';

/** Debian's Chromium without windows, which takes a quarter less time than the whole one, unless `CHROMIUM_PATH` is set. */
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell';

// No sandbox, because Chromium may run as root. No other machine is reached, although n8n's editor queries the npm registry;
// Playwright's routes would switch off the cache.
const FLAGS = [
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
	...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
	...['--disable-background-networking', '--disable-component-update', '--no-proxy-server'],
	// Letters as wide as in a window; rounded to whole pixels, the text of a note can need another line.
	'--font-render-hinting=none',
];

/** Starts a headless Chromium with an empty profile. */
export const startBrowser = (): Promise<Browser> =>
	chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
