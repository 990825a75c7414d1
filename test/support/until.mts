import { setTimeout } from 'node:timers/promises';

/** Waits until something holds that can only be asked for. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
	while (!(await isSo())) await setTimeout(100);
}
