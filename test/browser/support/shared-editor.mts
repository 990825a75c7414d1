import { formatUnits } from 'ethers';
import type { Editor } from '../../../tools/editor/editor.mts';
import { WorkflowBuilder } from '../../../tools/editor/workflow-builder.mts';
import { sandboxCredentials } from '../../../tools/sandbox/credentials.mts';
import { useN8n } from '../../support/n8n/use-n8n.mts';
import { limitedCredential } from '../../support/n8n/workspace.mts';
import type { Service, Username } from '../../support/sandbox/service.mts';
import { openSignedInEditor } from './signed-in-editor.mts';

/** The n8n of all parts of `running-n8n.test.mts`, with two credentials that do not work. */
export const n8n = useN8n({
	settings: { N8N_DISABLE_UI: 'false' },
	credentials: (service) => {
		const elsewhere = { baseUrl: `${service.ready.baseUrl}/elsewhere` };
		return [
			limitedCredential(service, 'wrongToken', {}, 'wrong'),
			limitedCredential(service, 'wrongService', elsewhere, 'wrong'),
		];
	},
});

/** Its editor in a browser. Loading the editor takes longer than most tests. */
export let editor: Editor;
export let builder: WorkflowBuilder;

beforeAll(async () => {
	editor = await openSignedInEditor(n8n.resources, n8n);
	builder = new WorkflowBuilder(editor);
});

/** A user's balance of Sandbox Dollars, according to the chain. */
export async function dollars(name: Username): Promise<string> {
	const { address } = n8n.user(name);
	const balance = await n8n.chain.tokenBalance(n8n.contracts.usd, address);
	return formatUnits(balance, 6).replace(/\.0$/, '');
}

/** Lets the credential of the examples belong to a service; one that keeps writes also keeps order numbers. */
export async function useService({ ready }: Service): Promise<void> {
	const credentials = sandboxCredentials(ready).filter(({ id }) => id === 'sandboxUser0001');
	for (const credential of credentials) await n8n.client.changeCredential(credential);
}
