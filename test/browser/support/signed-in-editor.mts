import { startBrowser } from '../../../tools/editor/browser.mts';
import { Editor } from '../../../tools/editor/editor.mts';
import { signInAsOwner } from '../../../tools/n8n/rest-client.mts';
import type { Cleanup } from '../../support/cleanup.mts';

/**
 * Signs in to a new n8n, and opens its editor in a browser.
 *
 * @param cleanup - Closes the browser.
 * @param origins - Others than n8n that the editor may open.
 */
export async function openSignedInEditor(
	cleanup: Cleanup,
	url: string,
	origins?: string[],
): Promise<Editor> {
	await signInAsOwner(url);
	const browser = await startBrowser();
	await cleanup.add(() => browser.close());
	return await Editor.signIn(browser, url, origins);
}
