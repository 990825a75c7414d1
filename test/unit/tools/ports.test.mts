/** A port found for a program that is still starting must be left to it by everything else on this machine. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { freePort } from '../../../tools/network/ports.mts';

const program = new URL('../../../tools/network/ports.mts', import.meta.url).href;

/** What another process finds. */
async function foundElsewhere(preferred?: number): Promise<number> {
	const script = `console.log(await (await import('${program}')).freePort(${preferred ?? ''}))`;
	const args = ['--input-type=module', '--eval', script];
	return Number((await promisify(execFile)(process.execPath, args)).stdout);
}

test('a port is found for one program only, also by other processes', async () => {
	const port = await freePort();
	expect(await freePort(port)).not.toBe(port);
	expect(await foundElsewhere(port)).not.toBe(port);
});

test('the preferred port is found unless a server listens there', async () => {
	const port = await foundElsewhere();
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	expect(await freePort(port)).not.toBe(port);
	server.close();
	await once(server, 'close');
	expect(await freePort(port)).toBe(port);
});

test('no system assigns a port in that range by itself', async () => {
	const ports = await Promise.all(Array.from({ length: 50 }, async () => await freePort()));
	expect(Math.min(...ports)).toBeGreaterThanOrEqual(10_000);
	expect(Math.max(...ports)).toBeLessThan(32_768);
});
