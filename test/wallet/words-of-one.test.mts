/** What one of two endpoints says alone: it is marked as not certain, or not told. */
import { toQuantity } from 'ethers';
import { Balances } from '../../service/src/operation/balances.mts';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { Resources } from '../support/resources.mts';
import { installScripted } from './support/scripted-service.mts';

const OTHER_BLOCK = `0x${'cd'.repeat(32)}`;

test('what a wallet has for gas is unknown, rather than what one endpoint says', async () => {
	await using resources = new Resources();
	const { chain, endpoints, payers } = await installScripted(resources);
	const [liar] = endpoints;
	const { address = '' } = payers[0] ?? {};
	liar?.lie('eth_getBalance', () => ({ result: '0x1' }));
	const asked = await Endpoints.connect(endpoints.map(({ url }) => url));
	const balances = new Balances(asked, 0);
	await balances.refresh([address]);
	expect(balances.of(address)).toBeUndefined();
	liar?.becomeHonest();
	await balances.refresh([address]);
	expect(balances.of(address)).toBe(chain.balanceAt(address));
});

test('the newest final block is not above the one that a second endpoint calls final', async () => {
	await using resources = new Resources();
	const { chain, endpoints } = await installScripted(resources);
	const [liar] = endpoints;
	chain.finalLag = 20;
	liar?.lie('eth_getBlockByNumber', ({ params, ...request }, truth) => {
		if (params[0] !== 'finalized') return truth();
		return { result: { ...request, number: toQuantity(chain.head), hash: OTHER_BLOCK } };
	});
	const asked = await Endpoints.connect(endpoints.map(({ url }) => url));
	expect(await asked.finalBlock(2)).toBe(BigInt(chain.head - 20));
});
