import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import type { ExecuteContext } from 'n8n-core';
import { LazyPackageDirectoryLoader, PackageDirectoryLoader, RoutingNode } from 'n8n-core';
import type { ICredentialType, INodeType, INodeTypes } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { root } from '../../../tools/files/paths.mts';
import { n8nPackage } from '../../../tools/n8n/engine-version.mts';
import { inTests } from '../../support/resources.mts';

/** n8n's own nodes, found through the package that starts n8n. */
const baseNodesDirectory = dirname(
	createRequire(n8nPackage).resolve('n8n-nodes-base/package.json'),
);

/** Key under which a process keeps the list of n8n's own nodes, 9 MB of JSON. */
const BASE_NODES = Symbol.for('nodes of n8n');

async function loadBaseNodes(): Promise<PackageDirectoryLoader> {
	const loader = new LazyPackageDirectoryLoader(baseNodesDirectory);
	await loader.loadAll();
	return loader;
}

/** The tool that n8n's server makes from a node. */
function asTool(node: INodeType): INodeType {
	const { convertNodeToAiTool } = createRequire(n8nPackage)('./dist/tool-generation/ai-tools.js');
	const description = { ...node.description, properties: [...node.description.properties] };
	return Object.create(node, {
		description: { value: convertNodeToAiTool({ description }).description },
	}) as INodeType;
}

/** The node types of the built package, also as tools, and of n8n itself, loaded as n8n loads them. */
export class LoadedNodeTypes implements INodeTypes {
	readonly #loaders: readonly [own: PackageDirectoryLoader, base: PackageDirectoryLoader];

	readonly #routedByN8n: boolean;

	protected constructor(
		routedByN8n: boolean,
		...loaders: [own: PackageDirectoryLoader, base: PackageDirectoryLoader]
	) {
		this.#loaders = loaders;
		this.#routedByN8n = routedByN8n;
	}

	/** @param routedByN8n whether n8n's own routing runs the nodes: tools of older agents do not support custom operations */
	static async load(routedByN8n = false): Promise<LoadedNodeTypes> {
		const own = new PackageDirectoryLoader(root);
		await own.loadAll();
		const kept = globalThis as { [BASE_NODES]?: ReturnType<typeof loadBaseNodes> };
		const base = await (kept[BASE_NODES] ??= loadBaseNodes());
		return new this(routedByN8n, own, base);
	}

	/** A credential type of the built package. */
	credentialType(name: string): ICredentialType {
		return this.#loaders[0].getCredential(name).type;
	}

	getByName(type: string): INodeType {
		return this.getByNameAndVersion(type);
	}

	getByNameAndVersion(type: string, version?: number): INodeType {
		if (type.endsWith('Tool')) return asTool(this.getByNameAndVersion(type.slice(0, -4), version));
		const [packageName = '', name = ''] = type.split('.');
		const loader = this.#loaders.find((one) => one.packageName === packageName);
		if (loader === undefined) throw new Error(`No package ${packageName}`);
		const node = NodeHelpers.getVersionedNodeType(loader.getNode(name).type, version);
		if (node.description.requestDefaults === undefined || node.execute !== undefined) return node;
		// n8n's server runs declarative nodes in this way; the engine's own method for tests cannot be stopped.
		return Object.create(node, {
			execute: {
				async value(this: ExecuteContext) {
					return await new RoutingNode(this, node).runNode();
				},
			},
			...(this.#routedByN8n && { customOperations: { value: undefined } }),
		}) as INodeType;
	}

	getKnownTypes(): Record<string, never> {
		return {};
	}
}

/** Loads the node types before the tests of a file. */
export const useNodeTypes = () => inTests(beforeAll, async () => await LoadedNodeTypes.load());
