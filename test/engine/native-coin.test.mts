/** The native coin that a contract write sends along: exact, in whole coins or in the unit that is named. */
import type { INodeParameters } from 'n8n-workflow';

import { runContract, submitted as submittedBy } from './support/contract-calls.mts';
import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

const run = async (operation: string, parameters: INodeParameters, items?: object[]) =>
	await runContract(engine, service, operation, parameters, items);

const json = (args: unknown) => ({ argumentsMode: 'json', args: JSON.stringify(args) });
const coin = (nativeCoin: unknown) => ({ options: { nativeCoin } }) as INodeParameters;

/** The data of the transaction that a write submitted. */
const submitted = async (parameters: INodeParameters) =>
	await submittedBy(engine, service, parameters);

describe('the native coin of a write', () => {
	const pay = { abi: 'pay() payable returns (uint256)' };

	test.each([
		['7 wei', 7n],
		['1.5 gwei', 1500000000n],
		['0.000000000000000001', 1n],
		['0.1', 10n ** 17n],
		[' 0.25 ether', 25n * 10n ** 16n],
		[2, 2n * 10n ** 18n],
		['={{ "3" }} wei', 3n],
	])('given as %p is sent exactly', async (given, wei) => {
		const { transaction } = await submitted({ ...pay, ...coin(given) });
		expect(transaction.value).toBe(wei);
	});

	test('needs no "payable" in the signature', async () => {
		const { transaction } = await submitted({ abi: 'pay()', ...coin('12 wei') });
		expect(transaction.value).toBe(12n);
	});

	test('goes to a payable function of an ABI, too', async () => {
		const { transaction } = await submitted({
			functionSource: 'contractAbi',
			contractAbi: 'function pay() payable',
			contractFunction: 'pay()',
			...coin('13 wei'),
		});
		expect(transaction.value).toBe(13n);
	});

	test.each([
		['0.0000000001 gwei', /10 decimal places/],
		['1.5 wei', /1 decimal place/],
		['0.0000000000000000001', /19 decimal places/],
		['0,5', /"0,5" has a comma/],
		['-1', /"-1" is negative/],
		['-1 wei', /"-1 wei" is negative/],
		['1 finney', /"1 finney" is not an amount/],
		['1 * 10^6', /is not an amount/],
		['0x10', /is not an amount/],
		['', /No amount is given/],
		['={{ null }}', /expression gives nothing/],
		['={{ $json.missing }} wei', /is not an amount/],
		[0.1, /number with a fraction/],
		[true, /is not an amount/],
		[`1${'0'.repeat(60)}`, /more than there can be/],
	])('given as %p is never rounded or guessed', async (given, message) => {
		const { error } = await run('write', { ...pay, ...coin(given) });
		expect(error?.message).toMatch(message);
		expect(error?.message).toMatch(/native ?coin/i);
		expect(await service.faults.requests()).toEqual([]);
	});

	test('is not sent with a function of a token standard, whose form does not show it', async () => {
		const { transaction } = await submitted({
			contractAddress: service.contracts.usd,
			functionSource: 'commonFunction',
			writeFunction: 'ERC-20 approve(address,uint256)',
			...json([service.user('Rahul Sen').address, '1']),
			...coin('1 wei'),
		});
		expect(transaction.value).toBe(0n);
	});
});
