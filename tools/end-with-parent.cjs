// Loaded ahead of a Node.js program (`--require`, or by NODE_OPTIONS for all that a command starts): ends the program as soon as one
// of those above it is gone, also one that was killed and could end nothing itself. A shell between two of them, as npm and the
// programs in `.bin` put there, outlives both and hides the end of the upper one: therefore the whole list is handed down.
// Plain JavaScript, because an older n8n runs on an older Node.js.
const { isMainThread, Worker, workerData } = require('node:worker_threads');

/** Milliseconds between two looks. */
const INTERVAL = 250;
/** Milliseconds for the program to end as it likes. */
const GRACE = 1_000;
const LIST = 'WALLET_SERVICE_STARTED_BY';

function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** Looks until one of those above is gone. */
function onceAlone({ parent, above }, callback) {
	const timer = setInterval(() => {
		if (process.ppid === parent && above.every(isRunning)) return;
		clearInterval(timer);
		callback();
	}, INTERVAL);
	return timer;
}

if (isMainThread) {
	const above = (process.env[LIST] ?? '').split(',').filter(Boolean).map(Number);
	process.env[LIST] = [...above, process.pid].join();
	const family = { parent: process.ppid, above };
	onceAlone(family, () => process.exit(1)).unref();
	// The program may be busy for seconds, as n8n is while it loads, and look at nothing.
	new Worker(__filename, { workerData: { endWithParent: family }, execArgv: [] }).unref();
} else if (workerData?.endWithParent !== undefined) {
	onceAlone(workerData.endWithParent, () => {
		setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE);
	});
}
