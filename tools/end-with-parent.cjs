// Preloaded into a Node.js program (`--require`, or NODE_OPTIONS for all descendants of a command): ends the program as soon
// as one of its ancestors has ended, even if the ancestor was killed. A shell between two of them (npm and the launchers in
// `.bin` start some) outlives both and hides the end of the ancestor above it, so the list of all ancestors is passed down.
const { isMainThread, Worker, workerData } = require('node:worker_threads');
const { onceGone } = require('./ancestors.cjs');

/** Time limit for the program to end normally, in milliseconds. */
const GRACE = 1_000;
const LIST = 'WALLET_SERVICE_STARTED_BY';

if (isMainThread) {
	const above = (process.env[LIST] ?? '').split(',').filter(Boolean).map(Number);
	process.env[LIST] = [...above, process.pid].join();
	const family = { parent: process.ppid, above };
	onceGone(family, () => process.exit(1)).unref();
	// The program's own thread may be busy for seconds, as n8n's is while loading.
	new Worker(__filename, { workerData: { endWithParent: family }, execArgv: [] }).unref();
} else if (workerData?.endWithParent !== undefined) {
	onceGone(workerData.endWithParent, () => {
		setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE);
	});
}
