import type { CustomOperation } from '../request/execute-route';
import { executeRoute } from '../request/execute-route';
import type { Resource } from './operation';

/** How n8n runs each operation, by the values of its resource and itself. */
export function customOperationsOf(
	resources: readonly Resource[],
): Record<string, Record<string, CustomOperation>> {
	return Object.fromEntries(
		resources.map(({ option, operations }) => [
			option.value,
			Object.fromEntries(
				operations.map((operation) => [
					operation.option.value,
					executeRoute(operation.option.routing ?? {}, operation.order),
				]),
			),
		]),
	);
}
