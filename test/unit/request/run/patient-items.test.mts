/** Items that wait for more than their slot. */
import { ROUTES } from '../../../../nodes/WalletService/request/http/routes.ts';
import type { Planned } from '../../../../nodes/WalletService/request/run/plan.ts';
import { runItem } from '../../../../nodes/WalletService/request/run/run-item.ts';
import { itemOf, newRun } from '../../support/item.mts';

test('one that waits keeps no slot, and no place among those that are read ahead', async () => {
	const happened: string[] = [];
	let allowFirst = (): void => undefined;
	const allowed = new Promise<void>((resolve) => (allowFirst = resolve));
	const plain = 10;
	const operation: Planned = {
		route: ROUTES.read,
		parameters: [],
		fields: [],
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
	const run = newRun({ concurrency: 1 });
	let waiting = 0;
	const indexes = Array.from({ length: plain + 1 }, (_one, index) => index);
	const wait = () => void (waiting += 1);
	const output = await Promise.all(
		indexes.map(async (index) => await runItem(operation, itemOf(index), run, wait)),
	);
	expect(happened).toEqual(['sent', ...indexes.slice(1).map(() => 'waited')]);
	expect(output.flat().map(({ json }) => json.index)).toEqual(indexes);
	expect(waiting).toBe(plain);
});
