import { setTimeout } from 'node:timers/promises';
import axios from 'axios';

const EVERY_MS = 100;

/**
 * Notes when a service has compared its writes with the chain, until told to stop; also beyond its restarts.
 *
 * @param rounds receives the times in milliseconds since 1970
 */
export async function watchRounds(
	url: string,
	rounds: number[],
	isOver: () => boolean,
): Promise<void> {
	let known = 0;
	while (!isOver()) {
		await setTimeout(EVERY_MS);
		// It does not answer while it starts again.
		const answer = await axios.get<string>(url).catch(() => undefined);
		const [, count] = /^wallet_service_rounds_total (\d+)$/m.exec(answer?.data ?? '') ?? [];
		if (count === undefined) continue;
		if (Number(count) < known) known = 0;
		for (; known < Number(count); known++) rounds.push(Date.now());
	}
}
