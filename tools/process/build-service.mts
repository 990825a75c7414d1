/** `npm run service:build` writes the wallet service into one file and its start, which run beside the packages in `service/node_modules`. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../files/paths.mts';
import { bundled } from './bundled.mts';

const folder = join(root, 'service', 'dist');
await mkdir(folder, { recursive: true });
await copyFile(await bundled('service', 'service/src/cli/main.mts'), join(folder, 'main.mjs'));
await copyFile(join(root, 'service', 'start.mjs'), join(folder, 'wallet-service.mjs'));
