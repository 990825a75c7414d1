/**
 * A long list of payments in a running n8n that has little memory: it is sent to its end, and n8n answers others meanwhile.
 * `LIST_ITEMS=50000` makes it as long as a large payroll, which takes half an hour.
 */
import { setTimeout } from 'node:timers/promises';
import axios from 'axios';
import { startLocalServer } from '../../tools/network/local-server.mts';
import { publishNew } from '../support/n8n/published.mts';
import { useN8n } from '../support/n8n/use-n8n.mts';
import { chainedWorkflow, rowsOf, walletNode, webhook } from '../support/n8n/workflow.mts';
import { useResources } from '../support/resources.mts';
import { until } from '../support/until.mts';

const ITEMS = Number(process.env.LIST_ITEMS ?? 1_000);
/** Items for which n8n answers another request at least once: the check of ten is a few milliseconds of work. */
const ITEMS_PER_ANSWER = 20;
const HEAP_MB = 600;

const TOKEN = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;
const ROWS = Array.from({ length: ITEMS }, (_unused, row) => ({
	to: addressOf(row + 1_000),
	amount: '0.01',
}));

/** What the token says about itself. */
const FACTS: Record<string, unknown> = { decimals: 6, symbol: 'SUSD', name: 'Dollar' };

const resources = useResources();
let rowsAt = '';
let writes = 0;
let answers = 0;
/** Answers of n8n to others, while the list was checked. */
let inCheck = 0;

/** What a service answers that has one token, and takes every payment. */
function answerTo(path: string): { status: number; body: unknown } {
	if (path === '/rows') {
		inCheck = -answers;
		return { status: 200, body: ROWS };
	}
	if (path.endsWith('/write')) {
		if (writes === 0) inCheck += answers;
		writes += 1;
		const hash = `0x${writes.toString(16).padStart(64, '0')}`;
		return { status: 200, body: { status: 'SUCCESS', hash, tx: {} } };
	}
	return { status: 404, body: { error: 'unknown route' } };
}

function readOf(body: string): unknown {
	const { abi } = JSON.parse(body) as { abi: string };
	const response = FACTS[abi.replace(/\(.*/, '')];
	if (response === undefined) return { status: 'FAILED', error: 'execution reverted' };
	return { status: 'SUCCESS', response };
}

const n8n = useN8n({
	settings: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
	credentials: async () => {
		const server = await resources.use(
			startLocalServer(async (message, response) => {
				const parts = await message.toArray();
				const { url = '' } = message;
				const { status, body } = url.endsWith('/read')
					? { status: 200, body: readOf(Buffer.concat(parts).toString()) }
					: answerTo(url);
				response.writeHead(status, { 'content-type': 'application/json' });
				response.end(JSON.stringify(body));
			}),
		);
		rowsAt = `${server.url}/rows`;
		const data = { baseUrl: server.url, accessToken: 'secret', userId: '' };
		return [{ id: 'long', name: 'long', type: 'walletServiceApi', data }];
	},
});
test('a list is sent to its end, and n8n answers other requests while it is checked', async () => {
	const send = walletNode('Send', 'long', {
		resource: 'token',
		operation: 'send',
		token: TOKEN,
		authentication: 'accessToken',
		recipient: '={{ $json.to }}',
		amount: '={{ $json.amount }}',
	});
	const nodes = [webhook('long', 'atOnce'), rowsOf(rowsAt), send];
	await publishNew(n8n.client, [chainedWorkflow('long', nodes)]);
	let isOver = false;
	const asking = (async () => {
		while (!isOver) {
			await axios.get(`${n8n.url}/healthz`);
			answers += 1;
			await setTimeout(5);
		}
	})();
	await n8n.executions.call('long', []);
	await until(async () => (await n8n.executions.ended('long')).length > 0);
	isOver = true;
	await asking;
	const [execution] = await n8n.executions.ended('long');
	expect(execution?.status).toBe('success');
	expect(writes).toBe(ITEMS);
	expect(inCheck).toBeGreaterThanOrEqual(ITEMS / ITEMS_PER_ANSWER);
}, 7_200_000);
