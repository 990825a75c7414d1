import { startBrowser } from '../../../tools/editor/browser.mts';
import { Editor } from '../../../tools/editor/editor.mts';
import { signInAsOwner } from '../../../tools/n8n/rest-client.mts';
import type { Resources } from '../../support/resources.mts';

/** Signs in to a new n8n, and opens its editor in a browser, which `resources` take over. */
export async function openSignedInEditor(resources: Resources, url: string): Promise<Editor> {
	await signInAsOwner(url);
	return await Editor.signIn(await resources.use(startBrowser()), url);
}
