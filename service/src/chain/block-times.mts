import type { Chain } from './chain.mts';
import { Remembered } from './remembered.mts';

/** Maximum number of remembered times; a history seldom reaches back further. */
const REMEMBERED = 10_000;

/** The times of blocks, each read once, by hash: a number may refer to a different block after a reorganisation. */
export const blockTimes = ({ timeOf }: Pick<Chain, 'timeOf'>) =>
	new Remembered(
		async (hash, doubt) => {
			const { answer, isCertain } = await timeOf(hash);
			if (!isCertain) doubt();
			return { time: new Date(answer * 1000), isCertain };
		},
		{ count: REMEMBERED, ms: Infinity },
	);
