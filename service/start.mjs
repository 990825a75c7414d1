#!/usr/bin/env node
// In a file of its own: an older Node.js cannot even read the program.
if (Number(process.versions.node.split('.')[0]) < 24) {
	process.stderr.write(
		`The wallet service needs Node.js 24 or newer; this is ${process.version}\n`,
	);
	process.exit(1);
}
await import('./main.mjs');
