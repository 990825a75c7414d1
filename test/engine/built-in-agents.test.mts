/** Calls by n8n's built-in agents: without an execution or a workflow, each by a node with a new ID. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf, pending } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { CONTRACT } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const SUBMITTED = { submitted: true };

// n8n uses the plain name if it finds no tool by the longer one. All other laws of tools are in laws-of-writes and unknown-calls.
describe.each(['walletServiceTool', 'walletService'])('as %s', (type) => {
	const call = async (changes: IDataObject, policy = {}) => {
		const credential = node.service.credential(policy);
		return await node.tool(storeCall(CONTRACT, changes), {}, { credential, type });
	};

	test('equal answered calls are as many writes; one of unknown outcome is blocked', async () => {
		expect([await call({}), await call({})]).toMatchObject([SUBMITTED, { hash: hashOf(2) }]);
		node.service.answer(pending(7));
		await expect(call({})).rejects.toThrow(/MAY have been sent/);
		await expect(call({})).rejects.toThrow(/Not sent again.*Resend When Unknown/s);
		expect(await call({ args: '["2"]' })).toMatchObject(SUBMITTED);
		expect(node.service.writes).toHaveLength(4);
	});

	test('the limit of an execution applies to each call', async () => {
		const pay = async (wei: number) => {
			const coin = { abi: 'pay() payable', args: '[]', options: { nativeCoin: `${wei} wei` } };
			return await call(coin, { maxValuePerExecution: '3 wei' });
		};
		expect([await pay(2), await pay(2)]).toMatchObject([SUBMITTED, SUBMITTED]);
		await expect(pay(4)).rejects.toThrow('rule "Max Native Coin per Execution"');
		expect(node.service.writes).toHaveLength(2);
	});
});
