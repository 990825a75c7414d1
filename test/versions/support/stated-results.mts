import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../tools/files/paths.mts';

/** One row of the documentation's table of test results. */
export interface StatedResult {
	/** Version of Node.js. */
	node: string;
	result: string;
	/** Whether tools of agents before version 3 are tested: `yes` or `no`. */
	tools: string;
	/** Which credentials n8n's HTTP Request node does not receive: `the access token` or `both credentials`. */
	kept: string;
}

/** A row that begins with a version: | n8n | Node.js | result | tools | kept | */
const ROW = /^\| (\d\S+) +\| (\S+) +\| (\S+) +\| (yes|no) +\| (.+?) +\|$/gm;

/** The results in `docs/compatibility.md` for each n8n version, in order. */
export async function statedResults(): Promise<Map<string, StatedResult>> {
	const page = await readFile(join(root, 'docs', 'compatibility.md'), 'utf8');
	const rows = [...page.matchAll(ROW)];
	return new Map(
		rows.map(([, n8n = '', node = '', result = '', tools = '', kept = '']) => [
			n8n,
			{ node, result, tools, kept },
		]),
	);
}
