/** Where a write stands: by execution, node, run and item; as a tool, by the one call. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { originOf, placeOf } from '../../../nodes/WalletService/writes/identity.ts';

interface Given {
	readonly type?: string;
	readonly execution?: string | undefined;
	/** The node whose execute data the context has. */
	readonly runs?: string;
}

/** A context of n8n for item 3 in run 2 of the node "Pay". */
function contextOf({ type = 'walletService', execution = '7', runs = 'Pay' }: Given) {
	const executeData = { node: { name: runs }, data: {}, source: null };
	const context = {
		getNode: () => ({ name: 'Pay', type, parameters: {} }),
		getItemIndex: () => 3,
		getExecutionId: () => execution,
		getExecuteData: () => executeData,
		getWorkflow: () => ({ id: 'w' }),
		getWorkflowDataProxy: () => ({ $runIndex: 2 }),
	};
	return { executeData, context: context as unknown as IExecuteSingleFunctions };
}

test('a node stands in its execution of its workflow, by run and item', () => {
	const { context } = contextOf({});
	expect(placeOf(context)).toEqual({ scope: '["w","7"]', node: 'Pay', run: 2, item: 3 });
	expect(originOf(context).budget).toBe('["w","7"]');
});

test('a tool is the one call, whatever n8n counts; its budget is that of the execution', () => {
	const { context, executeData } = contextOf({ type: 'walletServiceTool' });
	const { scope, ...rest } = placeOf(context);
	expect(scope).toBe(executeData);
	expect(rest).toEqual({ node: 'Pay', run: 0, item: 3 });
	expect(originOf(context).budget).toBe('["w","7"]');
});

test('without an execution, the budget is that of the call as well', () => {
	const { context, executeData } = contextOf({ execution: '' });
	expect(placeOf(context).scope).toBe(executeData);
	expect(originOf(context).budget).toBe(executeData);
});
