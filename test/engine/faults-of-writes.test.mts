/** Writes to a service that fails: what comes out, and that the chain never holds more than one transaction. */
import type { IDataObject } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

async function run(parameters: IDataObject) {
	return await engine.run({
		parameters: { argumentsMode: 'json', ...parameters } as never,
		credential: service.credential(),
	});
}

let writes = 0;
/** Another call each time: one of unknown outcome blocks the same one. */
const write = (options: IDataObject = {}) => ({
	resource: 'contract',
	functionSource: 'signature',
	operation: 'write',
	contractAddress: service.contracts.shapes,
	abi: 'store(uint256)',
	args: `["${++writes}"]`,
	options,
});

interface WriteCase {
	readonly name: string;
	readonly fault: FaultRequest;
	readonly options?: IDataObject;
	/** Part of the error, or nothing when the item succeeds. */
	readonly error?: RegExp;
	readonly requests: number;
	readonly transactions: 0 | 1;
}

const MAY_BE_SENT = /MAY have been sent/;

const WRITES: WriteCase[] = [
	{
		name: '503',
		fault: { kind: 'status-text', params: { status: 503 } },
		error: /^The service had an internal error/,
		requests: 1,
		transactions: 0,
	},
	{
		name: '429, which is sent again',
		fault: { kind: 'rate-limit', times: 1 },
		requests: 2,
		transactions: 1,
	},
	{
		name: 'FAILED',
		fault: { kind: 'failed', params: { error: 'we are sending some gas to your wallet' } },
		error: /sending some gas/,
		requests: 1,
		transactions: 0,
	},
	{
		name: 'the connection cut before the work',
		fault: { kind: 'drop-before' },
		error: /connection was cut/,
		requests: 1,
		transactions: 0,
	},
	{
		name: 'the connection cut after the work',
		fault: { kind: 'drop-after' },
		error: /connection was cut/,
		requests: 1,
		transactions: 1,
	},
	{
		name: '502 after the work',
		fault: { kind: 'status-text', params: { status: 502, afterWork: true } },
		error: /^The service had an internal error/,
		requests: 1,
		transactions: 1,
	},
	{
		name: 'an HTML page after the work',
		fault: { kind: 'html', params: { afterWork: true } },
		error: /web page/,
		requests: 1,
		transactions: 1,
	},
	{
		name: 'half an answer',
		fault: { kind: 'truncated-json', params: { closeEarly: true } },
		error: /connection was cut/,
		requests: 1,
		transactions: 1,
	},
	{
		name: 'no answer',
		fault: { kind: 'hang', params: { afterWork: true } },
		options: { timeout: 1 },
		error: /did not answer in time/,
		requests: 1,
		transactions: 1,
	},
	{
		name: 'a dripping answer',
		fault: { kind: 'slow-drip', params: { ms: 200, bytes: 1 } },
		options: { timeout: 1 },
		error: /did not answer in time/,
		requests: 1,
		transactions: 1,
	},
];

test.each(WRITES)(
	'a write with $name is done once at most',
	async ({ fault, options, error, requests, transactions }) => {
		const { address } = service.user();
		const before = await service.chain.getTransactionCount(address);
		await service.faults.add(fault);
		const result = await run(write(options));
		expect(result.error?.message ?? '').toMatch(error ?? /^$/);
		const isKnown = error === undefined || /sending some gas/.test(String(result.error?.message));
		expect(MAY_BE_SENT.test(String(result.error?.message))).toBe(!isKnown);
		expect(await service.faults.requests()).toHaveLength(requests);
		expect((await service.chain.getTransactionCount(address)) - before).toBe(transactions);
	},
);

test('the hash in a damaged answer is not lost', async () => {
	await service.faults.add({ kind: 'truncated-json' });
	const { error } = await run(write());
	const [hash = ''] = /0x[0-9a-f]{64}/.exec(String(error?.message)) ?? [];
	expect(await service.chain.getTransaction(hash)).toMatchObject({ from: service.user().address });
});

test('a write to a service that is not there is tried again, and says that nothing was sent', async () => {
	const { error } = await engine.run({
		parameters: { ...write({ maxTries: 3 }), argumentsMode: 'json' } as never,
		credential: { ...service.credential(), baseUrl: 'http://127.0.0.1:9' },
	});
	expect(error?.message).toMatch(/nothing listens at its address.*tried 3 times/);
	expect(error?.message).not.toMatch(MAY_BE_SENT);
});
