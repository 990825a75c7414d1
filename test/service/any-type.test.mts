/** Values of any type in contract calls, compared with ethers' own encoding. */
import { Interface, type Result } from 'ethers';
import fc from 'fast-check';
import { asAnswer, asShown, call, written } from '../support/abi/random-abi.mts';
import { useService } from '../support/sandbox/service.mts';
import { thorough } from '../support/thorough.mts';

const sandbox = useService();

/** Converts a value to an argument: text is unchanged, any other value becomes JSON. */
const toArgument = (shown: unknown): string =>
	typeof shown === 'string' ? shown : JSON.stringify(shown);

const calls = call
	.filter(({ shapes }) => shapes.length > 0)
	.map(({ shapes, values }) => {
		const types = shapes.map((shape) => written(shape)).join(',');
		const functions = new Interface([`function echo(${types})`]);
		const encoded = functions.encodeFunctionData('echo', values);
		const decoded: Result = functions.decodeFunctionData('echo', encoded);
		const args = values.map((value, index) => toArgument(asShown(value, shapes[index])));
		return { types, args, encoded, answers: decoded.toArray(true).map(asAnswer) };
	});
const runs = { numRuns: thorough(100) };

test('values of any type come back from a read unchanged', async () => {
	await fc.assert(
		fc.asyncProperty(calls, async ({ types, args, answers }) => {
			const abi = `echo(${types}) public view returns (${types})`;
			const { data } = await sandbox().read('Nelly', 'shapes', abi, args);
			expect(data.response).toEqual(answers.length === 1 ? answers[0] : answers);
		}),
		runs,
	);
});

test('values of any type reach the chain in a write as ethers encodes them', async () => {
	const events = new Interface(['event Echo(bytes data)']);
	await fc.assert(
		fc.asyncProperty(calls, async ({ types, args, encoded }) => {
			const hash = await sandbox().submit('Nelly', 'shapes', `echo(${types})`, args);
			const receipt = await sandbox().chain.getTransactionReceipt(hash);
			const [arrived] = (receipt?.logs ?? []).map((log) => events.parseLog(log)?.args.data);
			expect(arrived).toBe(`0x${encoded.slice(10)}`);
		}),
		runs,
	);
});
