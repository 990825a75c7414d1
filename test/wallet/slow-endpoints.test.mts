/** An endpoint that takes its time must not hold up a service that has another one. */
import { setTimeout } from 'node:timers/promises';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { useResources } from '../support/resources.mts';
import { startEndpoint } from './support/endpoint.mts';

const LIMIT_MS = 4_000;
const HASH = `0x${'ab'.repeat(32)}`;

const resources = useResources();

/** An endpoint with blocks up to one, which reports more, and answers late once that is wanted. */
async function endpointUpTo(head: number) {
	const state = { head, reported: head, lateMs: 0, asked: 0 };
	const { url } = await resources.use(
		startEndpoint('', async ({ method, params: [tag] }) => {
			state.asked += 1;
			await setTimeout(state.lateMs);
			if (method === 'eth_chainId') return { result: '0x1' };
			if (method !== 'eth_getBlockByNumber') return { result: `0x${state.reported.toString(16)}` };
			const number = tag === 'latest' ? state.reported : Number(tag);
			if (tag !== 'latest' && number > state.head) return { result: null };
			return { result: { number: `0x${number.toString(16)}`, hash: HASH } };
		}),
	);
	return { url, state };
}

test('whose answers are late is asked last', async () => {
	const [late, other] = [await endpointUpTo(101), await endpointUpTo(100)];
	const endpoints = await Endpoints.connect([late.url, other.url], { limitMs: LIMIT_MS });
	expect(await endpoints.call('eth_getBalance')).toBe('0x65');
	late.state.lateMs = LIMIT_MS / 4 + 100;
	expect(await endpoints.call('eth_getBalance')).toBe('0x65');
	expect(await endpoints.call('eth_getBalance')).toBe('0x64');
	expect(await endpoints.newest()).toEqual({ block: 100, hash: HASH });
});

test.each(['poll', 'newest'] as const)(
	'that reports a block, and shows none, has one time limit for all its answers (%s)',
	async (what) => {
		const [late, other] = [await endpointUpTo(101), await endpointUpTo(100)];
		const endpoints = await Endpoints.connect([late.url, other.url], { limitMs: LIMIT_MS });
		Object.assign(late.state, { reported: 1_000, lateMs: LIMIT_MS / 4 + 100, asked: 0 });
		await endpoints[what]();
		expect(late.state.asked).toBeLessThan(6);
		expect(await endpoints.newest()).toEqual({ block: 100, hash: HASH });
	},
);
