/** Runs a program of a package: `node tools/process/run-bundled.mts service service/src/cli/main.mts status`. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { localState } from '../files/paths.mts';
import { bundled } from './bundled.mts';

const [home, entry = ''] = process.argv.splice(2, 2);
if (home !== 'service' && home !== 'sandbox') throw new Error(`There is no package ${home}`);
enableCompileCache(join(localState, 'compiled'));
await import(await bundled(home, entry));
