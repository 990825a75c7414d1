/** Answers of any length: n8n's memory holds no more of one than such an answer may have, and a write is unknown. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

import { startLocalServer } from '../../tools/network/local-server.mts';
import { useResources } from '../support/resources.mts';
import { hashOf } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { ALICE, CONTRACT } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const MB = 1_000_000;
/** What an answer unpacks to, and what n8n may hold of all answers. */
const [UNPACKED, HELD] = [400 * MB, 60 * MB];
const HASH = hashOf(7);
const options = { maxTries: 1, timeout: 60 };
const WRITE = storeCall(CONTRACT, { options });
const READ = { resource: 'user', operation: 'get', userId: ALICE.id, options };
const LIST = { resource: 'history', operation: 'list', userIds: ALICE.id, options };

const node = useNode();
const resources = useResources();

function* answer(): Generator<Buffer> {
	yield Buffer.from(`{"status":"SUCCESS","hash":"${HASH}","note":"`);
	const part = Buffer.alloc(MB, '0');
	for (let length = 0; length < UNPACKED; length += MB) yield part;
	yield Buffer.from('"}');
}

const brotli = () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const packers = { br: brotli, gzip: () => createGzip({ level: 1 }) };
const packed = async (encoding: keyof typeof packers) =>
	await buffer(Readable.from(answer()).pipe(packers[encoding]()));

/** Runs an action, and returns its result and the largest memory of buffers meanwhile, beyond that of before. */
async function holding<T>(action: () => Promise<T>): Promise<[result: T, bytes: number]> {
	const before = process.memoryUsage().arrayBuffers;
	let most = 0;
	const look = setInterval(() => {
		most = Math.max(most, process.memoryUsage().arrayBuffers - before);
	}, 5);
	const result = await action();
	clearInterval(look);
	return [result, most];
}

/** A service whose every answer is the same, compressed. */
async function answering(encoding: keyof typeof packers) {
	const body = await packed(encoding);
	const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
	const server = await resources.use(
		startLocalServer((_message, response) => void response.writeHead(200, headers).end(body)),
	);
	return node.service.credential({ baseUrl: server.url });
}

describe.each(['br', 'gzip'] as const)('an answer in %s that unpacks to 400 MB', (encoding) => {
	test('of a write is unknown, with the hash in its beginning', async () => {
		const credential = await answering(encoding);
		const [{ error }, held] = await holding(async () => await node.run(WRITE, { credential }));
		expect(error?.message).toContain('The answer of the service is longer than 2 MB');
		expect(error?.message).toContain(HASH);
		expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
		expect(held).toBeLessThan(HELD);
	}, 120_000);

	test.each([
		['a user', READ, 2],
		['a list', LIST, 40],
	])(
		'of %s is refused',
		async (_what, parameters, most) => {
			const credential = await answering(encoding);
			const [{ error }, held] = await holding(
				async () => await node.run(parameters, { credential }),
			);
			expect(error?.message).toContain(`The answer of the service is longer than ${most} MB`);
			expect(error).toMatchObject({ context: { details: { code: 'unreadable-answer' } } });
			expect(held).toBeLessThan(HELD);
		},
		120_000,
	);
});

test.each([200, 400, 503])(
	'an endless answer with status %i is read no further',
	async (status) => {
		let sent = 0;
		const part = Buffer.alloc(MB / 10, ' ');
		const server = await resources.use(
			startLocalServer(async (_message, response) => {
				response.writeHead(status, { 'content-type': 'application/json' });
				const closed = once(response, 'close').then(() => true);
				while (!response.destroyed) {
					sent += part.length;
					if (!response.write(part)) await Promise.race([once(response, 'drain'), closed]);
				}
			}),
		);
		const credential = node.service.credential({ baseUrl: server.url });
		const { error } = await node.run(
			storeCall(CONTRACT, { options: { ...options, timeout: 10 } }),
			{
				credential,
			},
		);
		expect(error?.message).toContain('The answer of the service is longer than 2 MB');
		expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
		expect(sent).toBeLessThan(20 * MB);
	},
	60_000,
);
