import { join } from 'node:path';

/** The root of the repository. */
export const root = join(import.meta.dirname, '..', '..');

/** All files that the commands create; ignored by git. */
export const localState = join(root, '.local');

/** esbuild's report on the latest build. */
export const bundleReport = join(localState, 'bundle.json');

export const examplesDirectory = join(root, 'examples');

/** n8n's state in `npm start`. */
export const n8nState = join(localState, 'n8n');

/** Preloaded into a Node.js program (`--require`), it ends the program with the process that started it. */
export const endWithParent = join(root, 'tools', 'end-with-parent.cjs');
