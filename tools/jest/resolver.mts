/** Jest's resolver, and the one of Node.js: the built node and the tests share the packages of one n8n. */
import Module from 'node:module';

import { fileOfOtherN8n, isOtherN8n } from '../n8n/engine-version.mts';

interface Options {
	defaultResolver(request: string, options: Options): string;
}

export const sync = (request: string, options: Options): string =>
	fileOfOtherN8n(request) ?? options.defaultResolver(request, options);

/** Lets packages that Node.js loads use the same n8n. */
export function shareWithNode(): void {
	if (!isOtherN8n) return;
	const resolve: (request: string, ...more: unknown[]) => string = Reflect.get(
		Module,
		'_resolveFilename',
	);
	Reflect.set(
		Module,
		'_resolveFilename',
		(request: string, ...more: unknown[]) =>
			fileOfOtherN8n(request) ?? resolve.call(Module, request, ...more),
	);
}
