/** Errors of n8n, whose classes are others if this package was installed with its own copy of n8n-workflow. */
import type { INode } from 'n8n-workflow';
import { ExecutionBaseError, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isOfClass } from '../../../../nodes/WalletService/request/failure/n8n-class.ts';

const node = { name: 'Pay' } as INode;

/** The classes of another copy of n8n-workflow, which derive from each other as in n8n. */
const copy = (() => {
	class ExecutionBaseError extends Error {}
	class NodeOperationError extends ExecutionBaseError {}
	class ExpressionError extends ExecutionBaseError {}
	return { NodeOperationError, ExpressionError };
})();

test.each([
	['an error of the node', new NodeOperationError(node, 'No'), [true, true, false]],
	['one of another copy', new copy.NodeOperationError('No'), [true, true, false]],
	['one of an expression', new copy.ExpressionError('No'), [true, false, false]],
	['any other error', new TypeError('No'), [false, false, false]],
	['text', 'NodeOperationError', [false, false, false]],
	['nothing', undefined, [false, false, false]],
])('%s', (_what, error, expected) => {
	const classes = [ExecutionBaseError, NodeOperationError, NodeApiError];
	expect(classes.map((one) => isOfClass(error, one))).toEqual(expected);
});
