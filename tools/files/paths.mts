import { join } from 'node:path';

/** The root of the repository. */
export const root = join(import.meta.dirname, '..', '..');

/** Folder for all files that the commands create; ignored by git. */
export const localState = join(root, '.local');

/** esbuild's report on the latest build. */
export const bundleReport = join(localState, 'bundle.json');

export const examplesDirectory = join(root, 'examples');

/** Folder for n8n's state under `npm start`. */
export const n8nState = join(localState, 'n8n');

/** Module that, preloaded into a Node.js program (`--require`), ends it together with the process that started it. */
export const endWithParent = join(root, 'tools', 'end-with-parent.cjs');
