/** Items that wait for more than their slot. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { ROUTES } from '../../../../nodes/WalletService/request/http/routes.ts';
import type { Item } from '../../../../nodes/WalletService/request/run/item.ts';
import type { Planned } from '../../../../nodes/WalletService/request/run/plan.ts';
import { Run } from '../../../../nodes/WalletService/request/run/run.ts';
import { runItem } from '../../../../nodes/WalletService/request/run/run-item.ts';

function itemOf(index: number): Item {
	const context: Partial<IExecuteSingleFunctions> = {
		continueOnFail: () => true,
		getExecutionId: () => '1',
		getExecutionCancelSignal: () => undefined,
		getNode: () => ({
			...{ id: '1', name: 'Find', type: 'walletService', typeVersion: 1 },
			...{ position: [0, 0], parameters: {} },
		}),
	};
	return {
		index,
		context: context as IExecuteSingleFunctions,
		read: (_name, fallback) => fallback,
	};
}

test('one that waits keeps no slot, and no place among those that are read ahead', async () => {
	const happened: string[] = [];
	let allowFirst = (): void => undefined;
	const allowed = new Promise<void>((resolve) => (allowFirst = resolve));
	const plain = 10;
	const operation: Planned = {
		...{ route: ROUTES.read, parameters: [], fields: [] },
		plan: async ({ index }) => {
			const isPatient = index < plain;
			const send = async () => {
				if (isPatient) await allowed;
				happened.push(isPatient ? 'waited' : 'sent');
				if (!isPatient) allowFirst();
				return await Promise.resolve([{ index }]);
			};
			return await Promise.resolve({ url: '', send, ...(isPatient && { isPatient }) });
		},
	};
	const run = new Run(() => ({ concurrency: 1 }), { credentialType: 'walletServiceApi' });
	let waiting = 0;
	const indexes = Array.from({ length: plain + 1 }, (_one, index) => index);
	const output = await Promise.all(
		indexes.map(async (index) =>
			runItem(operation, itemOf(index), run, () => {
				waiting += 1;
			}),
		),
	);
	expect(happened).toEqual(['sent', ...indexes.slice(1).map(() => 'waited')]);
	expect(output.flat().map(({ json }) => json.index)).toEqual(indexes);
	expect(waiting).toBe(plain);
});
