/** A process that runs the built node in n8n's engine for its parent, once for each message. */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

import { readObject } from '../../../tools/files/json.mts';
import type { EngineRun } from './engine.mts';

/** A request of the parent. */
interface Message extends Pick<EngineRun, 'parameters' | 'credential'> {
	id: number;
}

const workflow = createRequire(import.meta.url).resolve('n8n-workflow');
// Node.js cannot load what n8n-workflow has for `import`: its files leave out the endings of other files.
registerHooks({
	resolve(name, context, next) {
		const isImport = name === 'n8n-workflow' && context.conditions.includes('import');
		return next(isImport ? pathToFileURL(workflow).href : name, context);
	},
});
const { Engine, NODE } = await import('./engine.mts');
const { ownNode } = await import('./workflow-parts.mts');
const engine = await Engine.create();

async function answer({ id, parameters, credential }: Message): Promise<object> {
	const begun = Date.now();
	const node = ownNode(NODE, 'walletService', parameters, credential.userId as string);
	const run = await engine.runNode(node, { credential });
	const { data, error = run.data.resultData.error } =
		run.data.resultData.runData[NODE]?.at(-1) ?? {};
	const [json] = data?.main[0]?.map((item) => item.json) ?? [];
	const { message, context } = error ?? {};
	const code = readObject(context?.details ?? {}, 'the details').code;
	return { id, begun, ended: Date.now(), json, error: error && { message, code } };
}

process.on('message', (message: Message) => {
	void answer(message).then((answered) => process.send?.(answered));
});
process.send?.({ id: 'ready' });
