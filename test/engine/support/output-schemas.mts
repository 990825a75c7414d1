import { join } from 'node:path';
import { loadOutputSchema } from 'n8n-core';
import type { IDataObject, INode, IRun, Workflow } from 'n8n-workflow';

import { readObject } from '../../../tools/files/json.mts';
import { root } from '../../../tools/files/paths.mts';

/** The folder of the built node; n8n searches it for schemas. */
const nodeDir = join(root, 'dist', 'nodes', 'WalletService');

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}

/** The places at which a value violates its schema. */
function problemsOf(value: unknown, given: unknown, path: string): string[] {
	const { type, properties, items } = readObject(given, `the schema of ${path}`);
	const types = [type].flat();
	if (!types.includes(typeOf(value))) return [`${path} is ${typeOf(value)}, not ${types.join()}`];
	if (Array.isArray(value)) {
		return items === undefined
			? []
			: value.flatMap((entry, index) => problemsOf(entry, items, `${path}[${index}]`));
	}
	if (properties === undefined || typeof value !== 'object') return [];
	const known = readObject(properties, `the fields of ${path}`);
	return Object.entries(readObject(value, path))
		.filter(([, entry]) => entry !== undefined)
		.flatMap(([name, entry]) =>
			name in known
				? problemsOf(entry, known[name], `${path}.${name}`)
				: [`${path}.${name} is in no schema`],
		);
}

/** Whether an item is an answer in simplified form, not an error, a preview, or n8n's own: empty, or of a crashed run. */
const isAnswer = (json: IDataObject): boolean =>
	json.error === undefined &&
	json.submitted !== false &&
	json.isArtificialRecoveredEventItem === undefined &&
	Object.keys(json).length > 0;

function problemsOfNode(
	{ parameters, typeVersion }: INode,
	items: readonly IDataObject[],
): string[] {
	const { resource, operation, simplify } = parameters;
	if (simplify !== true) return [];
	const schema = loadOutputSchema({
		nodeDir,
		version: typeVersion,
		resource: String(resource),
		operation: String(operation),
	});
	if (schema === undefined) return [`${resource}: ${operation} has no schema`];
	return items.filter(isAnswer).flatMap((json) => problemsOf(json, schema, String(operation)));
}

/**
 * Checks the output of nodes against the schemas that n8n shows for it.
 *
 * @throws Error that names each field that violates its schema.
 */
export function assertAsInSchema(workflow: Workflow, { data }: IRun): void {
	const nodes = Object.values(workflow.nodes).filter(({ type }) => type.endsWith('.walletService'));
	const problems = nodes.flatMap((node) => {
		const runs = data.resultData.runData[node.name] ?? [];
		const items = runs.flatMap((run) => (run.data?.main ?? []).flatMap((output) => output ?? []));
		return problemsOfNode(
			node,
			items.map(({ json }) => json),
		);
	});
	if (problems.length > 0)
		throw new Error(`The output does not match its schema: ${[...new Set(problems)].join('; ')}`);
}
