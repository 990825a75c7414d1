import fc from 'fast-check';
import { Interface } from 'ethers';
import { abiValue, type AbiValue } from './support/abi-values.mts';
import { toValue } from './support/answers.mts';
import { useService } from '../support/sandbox/service.mts';
import { callsOf } from './support/calls.mts';

const runs = { numRuns: 300 };
const sandbox = useService();
const calls = callsOf(sandbox);

/** Top-level arguments are text; nested values are in JSON. */
function toArgument({ input }: AbiValue): string {
	return typeof input === 'string' ? input : JSON.stringify(input);
}

const values = fc.array(abiValue, { minLength: 1, maxLength: 4 });

test('values of any type come back from a read unchanged', async () => {
	await fc.assert(
		fc.asyncProperty(values, async (sent) => {
			const types = sent.map(({ type }) => type).join(',');
			const abi = `echo(${types}) public view returns (${types})`;
			const { data } = await calls.read('Nelly', 'shapes', abi, sent.map(toArgument));
			const outputs = sent.map(({ output }) => output);
			expect(toValue(data.response)).toEqual(outputs.length === 1 ? outputs[0] : outputs);
		}),
		runs,
	);
});

test('values of any type reach the chain in a write as ethers encodes them', async () => {
	const { chain } = sandbox();
	const events = new Interface(['event Echo(bytes data)']);
	await fc.assert(
		fc.asyncProperty(values, async (sent) => {
			const abi = `echo(${sent.map(({ type }) => type).join(',')})`;
			const { data } = await calls.write('Nelly', 'shapes', abi, sent.map(toArgument));
			const receipt = await chain.getTransactionReceipt(data.hash);
			const [arrived] = (receipt?.logs ?? []).map((log) => events.parseLog(log)?.args.data);
			const outputs = sent.map(({ output }) => output);
			const encoded = new Interface([`function ${abi}`]).encodeFunctionData('echo', outputs);
			expect(arrived).toBe(`0x${encoded.slice(10)}`);
		}),
		runs,
	);
});
