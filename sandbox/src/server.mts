/**
 * Runs the reference service until SIGINT or SIGTERM. Prints one line of JSON on standard output once it is
 * ready (see `ready.mts`); everything else goes to standard error.
 */
import { startAnvil } from './chain/anvil.mts';
import { readSettings } from './settings.mts';

try {
	const settings = readSettings(process.env);
	// The chain starts while the rest of the program is loaded.
	const anvil = settings.rpcUrl === undefined ? startAnvil() : undefined;
	anvil?.catch(() => undefined);
	const { serve } = await import('./serve.mts');
	await serve(settings, anvil);
	process.exit(0);
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exit(1);
}
