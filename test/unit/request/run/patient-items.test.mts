/** Items that wait together: what one of them may recognise depends on what the others look for. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { ROUTES } from '../../../../nodes/WalletService/request/http/routes.ts';
import type { Item } from '../../../../nodes/WalletService/request/run/item.ts';
import type { Planned } from '../../../../nodes/WalletService/request/run/plan.ts';
import { Run } from '../../../../nodes/WalletService/request/run/run.ts';
import { runItem } from '../../../../nodes/WalletService/request/run/run-item.ts';

const SLOW_MS = 30;

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
		...{ route: ROUTES.read, input: [], output: [] },
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
	const run = new Run(() => ({ concurrency: 1 }));
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

test('none asks the service before all are planned, also those that cannot be', async () => {
	const happened: string[] = [];
	const operation: Planned = {
		...{ route: ROUTES.history, input: [], output: [], plansTogether: true },
		plan: async ({ index }) => {
			// The credential of an item may take long to read.
			await new Promise((resolve) => setTimeout(resolve, index * SLOW_MS));
			happened.push(`planned ${index}`);
			if (index === 1) throw new Error('no hash');
			const send = async () => {
				happened.push(`sent ${index}`);
				return await Promise.resolve([{ index }]);
			};
			return { url: '', send };
		},
	};
	const run = new Run(() => ({}), { plansFirst: 3 });
	const output = await Promise.all(
		[0, 1, 2].map(async (index) => await runItem(operation, itemOf(index), run)),
	);
	expect(happened).toEqual(['planned 0', 'planned 1', 'planned 2', 'sent 0', 'sent 2']);
	expect(output.flat().map(({ json }) => json.index ?? json.error)).toEqual([0, 'no hash', 2]);
});
