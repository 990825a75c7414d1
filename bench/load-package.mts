/** Loads a package as n8n does at startup, and sends its parent the time in ms: `node bench/load-package.mts <folder>`. */
import { PackageDirectoryLoader } from 'n8n-core';

const [, , directory = ''] = process.argv;
const started = performance.now();
const loader = new PackageDirectoryLoader(directory);
await loader.loadAll();
const milliseconds = performance.now() - started;
if (loader.types.nodes.length === 0) throw new Error(`No nodes in ${directory}`);
process.send?.(milliseconds);
process.disconnect();
