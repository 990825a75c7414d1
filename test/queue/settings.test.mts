/** The table of settings in `docs/production.md` compared with the configuration of the installed n8n. */
import { execa } from 'execa';
import { readObject } from '../../tools/files/json.mts';
import { n8nProgram } from '../../tools/n8n/program.mts';
import { recommendedSettings, settingRows } from './support/recommended-settings.mts';

/** Path of each setting in n8n's configuration. */
const PLACES = new Map([
	['EXECUTIONS_MODE', 'executions.mode'],
	['QUEUE_WORKER_LOCK_DURATION', 'queue.bull.settings.lockDuration'],
	['QUEUE_WORKER_LOCK_RENEW_TIME', 'queue.bull.settings.lockRenewTime'],
	['QUEUE_WORKER_STALLED_INTERVAL', 'queue.bull.settings.stalledInterval'],
	['N8N_GRACEFUL_SHUTDOWN_TIMEOUT', 'generic.gracefulShutdownTimeout'],
	['EXECUTIONS_DATA_SAVE_ON_SUCCESS', 'executions.saveDataOnSuccess'],
	['EXECUTIONS_DATA_SAVE_ON_ERROR', 'executions.saveDataOnError'],
	['EXECUTIONS_DATA_SAVE_ON_PROGRESS', 'executions.saveExecutionProgress'],
]);

/** Prints n8n's configuration from its environment, with the packages that n8n itself uses. */
const PRINT_CONFIG = `
const require = process.getBuiltinModule('node:module').createRequire(${JSON.stringify(n8nProgram)});
require('reflect-metadata');
const { GlobalConfig } = require('@n8n/config');
console.log(JSON.stringify(require('@n8n/di').Container.get(GlobalConfig)));
`;

/** Values of the settings in the installed n8n, by name, with these environment variables and no others. */
async function effective(settings: Record<string, string>): Promise<Record<string, string>> {
	const args = ['--input-type=module', '--eval', PRINT_CONFIG];
	const { stdout } = await execa(process.execPath, args, { env: settings, extendEnv: false });
	const config: unknown = JSON.parse(stdout);
	const values = [...PLACES].map(([name, place]) => {
		const value = place
			.split('.')
			.reduce<unknown>((part, key) => readObject(part, `a part of ${place}`)[key], config);
		return [name, String(value)];
	});
	return Object.fromEntries(values);
}

test('n8n knows each recommended setting, and uses its value', async () => {
	const recommended = await recommendedSettings();
	expect(await effective(recommended)).toEqual(recommended);
});

test("n8n's defaults are as the table states", async () => {
	const rows = await settingRows();
	const stated = rows.map(({ name, byDefault }) => [name, byDefault]);
	expect(await effective({})).toEqual(Object.fromEntries(stated));
});
