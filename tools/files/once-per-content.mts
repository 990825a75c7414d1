import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Does some work, unless it was already done for the same content.
 *
 * @param stamp - File that keeps the digest of the content once the work is done.
 * @returns whether the work was done now.
 */
export async function oncePerContent(
	stamp: string,
	digest: string,
	work: () => Promise<void>,
): Promise<boolean> {
	if ((await readFile(stamp, 'utf8').catch(() => '')) === digest) return false;
	await work();
	await mkdir(dirname(stamp), { recursive: true });
	await writeFile(stamp, digest);
	return true;
}
