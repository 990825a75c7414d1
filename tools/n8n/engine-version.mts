/**
 * The n8n in whose engine the tests of the suite `engine` run: the locked one, or with `N8N_VERSION=2.38.4` one that the suite
 * `versions` has installed.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { localState, root } from '../files/paths.mts';

const { N8N_VERSION } = process.env;

/** Whether it is another one than the locked n8n. */
export const isOtherN8n = N8N_VERSION !== undefined;

const starter =
	N8N_VERSION === undefined
		? join(root, 'tools', 'package.json')
		: join(localState, 'n8n-versions', N8N_VERSION, 'package.json');

/** The `package.json` of the n8n. */
export const n8nPackage: string = createRequire(starter).resolve('n8n/package.json');

/** The packages that the node and the tests share with another n8n, by name. */
const shared = new Map(
	(isOtherN8n ? ['n8n-core', 'n8n-workflow'] : []).map((name) => [
		name,
		createRequire(n8nPackage).resolve(name),
	]),
);

/** The file of a package of another n8n; `undefined` for any other request. */
export const fileOfOtherN8n = (request: string): string | undefined => shared.get(request);
