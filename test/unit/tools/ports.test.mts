/** A port found for a program that is still starting must be left to it by everything else on this machine. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { execa } from 'execa';
import { freePort } from '../../../tools/network/ports.mts';

const program = new URL('../../../tools/network/ports.mts', import.meta.url).href;

/** What another process finds. */
async function foundElsewhere(preferred?: number): Promise<number> {
	const script = `console.log(await (await import('${program}')).freePort(${preferred ?? ''}))`;
	return Number((await execa('node', ['--input-type=module', '--eval', script])).stdout);
}

test('a port is found for one program only, also by other processes, and no system assigns it', async () => {
	const port = await freePort();
	expect(port).toBeGreaterThanOrEqual(10_000);
	expect(port).toBeLessThan(32_768);
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
