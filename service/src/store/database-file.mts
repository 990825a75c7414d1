/** The file of a SQLite database while it is open: SQLite goes on writing into one that was moved away. */
import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Time between two looks at the file, in milliseconds. */
const LOOK_MS = 1_000;

const identityOf = async (file: string): Promise<string> => {
	const { dev, ino } = await stat(file, { bigint: true });
	return `${dev} ${ino}`;
};

/**
 * Looks at the file of a database until it is another one, or none: what is written then would be lost with the next start,
 * and with it the keys of writes.
 *
 * @throws Error on one line once it is; never returns
 * @example await Promise.race([stopped, untilReplaced('/var/lib/wallet-service/wallet-service.sqlite')])
 */
export async function untilReplaced(file: string): Promise<never> {
	const own = await identityOf(file);
	for (;;) {
		await setTimeout(LOOK_MS, undefined, { ref: false });
		const now = await identityOf(file).catch(() => undefined);
		if (now === own) continue;
		throw new Error(
			`${file} was replaced or moved while the service ran, so it ends: it would forget what it sends. Put the file back before you start it again`,
		);
	}
}
