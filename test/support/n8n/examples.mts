import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readList, readObject, type JsonObject } from '../../../tools/files/json.mts';
import { examplesDirectory } from '../../../tools/files/paths.mts';

/** An example workflow in the form of n8n's import. */
export interface Example extends JsonObject {
	nodes: JsonObject[];
}

/** @param name - File name without its extension. */
export async function readExample(name: string): Promise<Example> {
	const text = await readFile(join(examplesDirectory, `${name}.json`), 'utf8');
	const workflow = readObject(JSON.parse(text), name);
	const nodes = readList(workflow.nodes, 'the nodes').map((node) => readObject(node, 'a node'));
	return { ...workflow, nodes };
}

/** The example that pays a list, changed as its note says for a service that keeps no order numbers, under another ID. */
export async function listWithoutOrders(id: string): Promise<Example> {
	const example = await readExample('pay-a-list');
	const nodes = example.nodes.map(({ parameters, ...node }) => {
		const fields = readObject(parameters, 'the form');
		return { ...node, parameters: 'orderId' in fields ? { ...fields, orderId: '' } : fields };
	});
	return { ...example, id, nodes };
}
