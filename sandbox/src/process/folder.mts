import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** Folder of this package, wherever the bundle of the program is. */
export const SANDBOX = dirname(findPackageJSON(import.meta.url) ?? '');
