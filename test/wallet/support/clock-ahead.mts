/** Processes whose clock is wrong. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';

const HOUR_MS = 3_600_000;

/** The environment of a process whose clock is ahead, of all that it reads the time for. */
export async function clockAhead(resources: Resources, hours: number): Promise<NodeJS.ProcessEnv> {
	const { path } = await resources.use(temporaryFolder('clock'));
	const file = join(path, 'ahead.cjs');
	const code = `const { now } = Date;
const ahead = () => now() + ${hours * HOUR_MS};
globalThis.Date = class extends Date {
	constructor(...parts) {
		super(...(parts.length === 0 ? [ahead()] : parts));
	}
	static now() {
		return ahead();
	}
};
`;
	await writeFile(file, code);
	const { NODE_OPTIONS = '' } = process.env;
	return { NODE_OPTIONS: `${NODE_OPTIONS} --require ${JSON.stringify(file)}` };
}
