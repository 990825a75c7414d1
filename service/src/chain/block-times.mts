import type { Chain } from './chain.mts';
import { Remembered } from './remembered.mts';

/** Maximum number of remembered times; a history seldom reaches back further. */
const REMEMBERED = 10_000;

/** Possible time of a block ahead of this machine's clock, in seconds. */
const MOST_AHEAD = 600;

/** The times of blocks, each read once, by hash: a number may refer to a different block after a reorganisation. */
export const blockTimes = ({ timeOf }: Pick<Chain, 'timeOf'>) =>
	new Remembered(
		async (hash) => {
			const time = await timeOf(hash);
			if (time === undefined) throw new Error(`The chain has no block ${hash}`);
			if (time > Date.now() / 1000 + MOST_AHEAD) throw new Error(`Block ${hash} is of the future`);
			return new Date(time * 1000);
		},
		{ count: REMEMBERED, ms: Infinity },
	);
