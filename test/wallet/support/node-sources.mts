/** Lets a program that is not bundled import sources of the node, whose imports lack the ending of the file. */
import { registerHooks } from 'node:module';

const ROOM = '/nodes/WalletService/';

registerHooks({
	resolve(specifier, context, next) {
		const isOfNode = context.parentURL?.includes(ROOM) === true && specifier.startsWith('.');
		const resolved = next(isOfNode ? `${specifier}.ts` : specifier, context);
		return resolved.url.includes(ROOM) ? { ...resolved, format: 'module-typescript' } : resolved;
	},
});
