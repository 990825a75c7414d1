import { join } from 'node:path';

/** The repository's root. */
export const root = join(import.meta.dirname, '..', '..');

/** Everything that running the project leaves behind; git-ignored. */
export const localState = join(root, '.local');

/** What esbuild reported of the latest build. */
export const bundleReport = join(localState, 'bundle.json');

/** The importable example workflows. */
export const examplesDirectory = join(root, 'examples');

/** The state of the n8n that `npm start` runs. */
export const n8nState = join(localState, 'n8n');

/** Loaded ahead of a Node.js program (`--require`), ends it with the process that started it. */
export const endWithParent = join(root, 'tools', 'end-with-parent.cjs');
