import { chromium, type Browser, type Locator, type Page } from 'playwright-core';

export type { Browser, Locator, Page };

/** Debian's Chromium, unless `CHROMIUM_PATH` is set. */
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** No sandbox, because it may run as root, and no background traffic. */
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Starts a headless Chromium with an empty profile. */
export async function startBrowser(): Promise<Browser> {
	return await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}
