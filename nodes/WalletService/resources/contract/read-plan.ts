import type { CheckedCall } from '../../contract/call';
import { ROUTES } from '../../request/http/routes';
import type { Plan } from '../../request/run/plan';
import { InvalidInputError } from '../../values/invalid-input';
import { answerItems } from '../answer-items';
import type { ReadOptions } from './call-options';
import { readReadOptions, SCALE } from './call-options';
import type { PlannedCall } from './contract-call';
import { completeCall, planCall } from './contract-call';
import { lookUp } from '../look-ups/look-ups';
import { simplifyRead } from './simplify-read';
import { readUntil } from './wait-plan';
import { readWaitUntil } from './wait-until';

const { url } = ROUTES.read;

/** Refuses to scale what is not known to be an integer. @throws InvalidInputError */
export function assertCanScale({ contractFunction }: PlannedCall, { decimals }: ReadOptions): void {
	if (decimals === undefined || contractFunction.outputs.length > 0) return;
	throw new InvalidInputError({
		parameter: SCALE,
		value: decimals,
		message: 'The function declares no return types, so that nothing is known to be an integer',
		hint: 'Add them to the function, for example returns (uint256), or remove the option',
	});
}

/** The plan of a contract read; users and tokens are looked up when it is sent. */
export const planRead: Plan = async (item, run, { isSimple }) => {
	const options = readReadOptions(item.read);
	const planned = planCall(item.read, 'read');
	assertCanScale(planned, options);
	const itemsOf = (answer: unknown, checked: CheckedCall) => {
		const simplify = (given: unknown) => simplifyRead(given, { item, run, checked, options });
		return answerItems(answer, isSimple ? simplify : undefined);
	};
	const wait = readWaitUntil(options.waitUntil, planned.contractFunction, options.decimals);
	if (wait !== undefined) {
		const waiting = { item, run, planned, wait, itemsOf };
		return { url, isPatient: true, send: async (client) => await readUntil(waiting, client) };
	}
	return {
		url,
		send: async (client) => {
			const checked = completeCall(planned, 'read', await lookUp(item, run, client, planned));
			const answer = await client.post(url, JSON.stringify(checked.call));
			return itemsOf(answer, checked);
		},
	};
};
