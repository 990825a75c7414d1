import { readFile, writeFile } from 'node:fs/promises';
import { homeOf } from '../../../service/src/config/settings.mts';
import type { InstalledService } from '../../../tools/wallet/installed-service.mts';

/** Changes settings in `config.json`; they count from the next start. */
export async function changeSettings(
	{ environment }: InstalledService,
	changes: object,
): Promise<void> {
	const { config } = homeOf(environment);
	const settings: object = JSON.parse(await readFile(config, 'utf8'));
	await writeFile(config, JSON.stringify({ ...settings, ...changes }));
}
