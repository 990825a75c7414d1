/**
 * Runs anvil for the sandbox and ends it as soon as standard input closes, which the operating
 * system does also when the sandbox is killed. So no chain outlives its service.
 *
 * Prints anvil's process id as the first line, then passes anvil's own output through.
 */
import { spawn } from 'node:child_process';
import { anvilBinary } from './anvilBinary.mts';

const anvil = spawn(anvilBinary(), process.argv.slice(2), {
	stdio: ['ignore', 'inherit', 'inherit'],
});
anvil.once('spawn', () => process.stdout.write(`${anvil.pid}\n`));
anvil.once('exit', (code) => process.exit(code ?? 0));

// A terminal's Ctrl-C reaches the whole process group; the order of ending is the service's to decide.
process.on('SIGINT', () => undefined);
process.stdin.once('close', () => anvil.kill('SIGTERM'));
process.stdin.resume();
