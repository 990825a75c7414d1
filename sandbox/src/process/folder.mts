import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function packageFolder(folder: string): string {
	return existsSync(join(folder, 'package.json')) ? folder : packageFolder(dirname(folder));
}

/** Folder of this package, wherever the bundle of the program is. */
export const SANDBOX = packageFolder(import.meta.dirname);
