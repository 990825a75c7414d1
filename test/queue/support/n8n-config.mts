import { execa } from 'execa';
import type { JsonObject } from '../../../tools/files/json.mts';
import { readObject } from '../../../tools/files/json.mts';
import { n8nProgram } from '../../../tools/n8n/program.mts';

/** Prints n8n's configuration from its environment; the packages are those that n8n itself uses. */
const PRINT_CONFIG = `
const require = process.getBuiltinModule('node:module').createRequire(${JSON.stringify(n8nProgram)});
require('reflect-metadata');
const { GlobalConfig } = require('@n8n/config');
console.log(JSON.stringify(require('@n8n/di').Container.get(GlobalConfig)));
`;

/** The configuration that the installed n8n would run with, given these environment variables and no others. */
export async function n8nConfig(settings: Record<string, string>): Promise<JsonObject> {
	const args = ['--input-type=module', '--eval', PRINT_CONFIG];
	const { stdout } = await execa(process.execPath, args, { env: settings, extendEnv: false });
	return readObject(JSON.parse(stdout), 'the configuration');
}
