import { startBrowser } from '../../../tools/editor/browser.mts';
import { Editor } from '../../../tools/editor/editor.mts';
import { signInAsOwner } from '../../../tools/n8n/owner.mts';
import type { N8nServer } from '../../../tools/n8n/server.mts';
import type { Resources } from '../../support/resources.mts';

/** Signs in to a new n8n, and opens its editor in a browser, which `resources` take over. */
export async function openSignedInEditor(
	resources: Resources,
	n8n: Pick<N8nServer, 'url' | 'userFolder'>,
): Promise<Editor> {
	await signInAsOwner(n8n);
	return await Editor.signIn(await resources.use(startBrowser()), n8n);
}
