import { ServiceError } from '../../request/failure/service-error';
import type { ServiceClient } from '../../request/http/service-client';
import { describeService } from '../../request/http/service-description';
import { shortAddress } from '../../values/address';
import { refuse } from '../../values/invalid-input';
import { isItem } from '../../values/objects';
import { settle } from '../../values/settle';
import { tokenParameter } from '../parameters';
import { askToken } from './token-facts';

/** The words of services, and of the libraries that they use, for an address without code. */
const NO_CODE = /\b(?:no|not a) contract\b|\bno (?:contract )?code\b/i;

/** Whether the service says that there is no contract at an address. */
async function lacksCode(address: string, client: ServiceClient): Promise<boolean> {
	const asked = await settle(askToken('decimals', address, client));
	if (asked.status === 'fulfilled' || !(asked.reason instanceof ServiceError)) return false;
	return NO_CODE.test(asked.reason.details.serviceText ?? '');
}

/**
 * Refuses a token at whose address is no contract, as after a change of the credential.
 *
 * @param given the parameter as n8n has stored it, which shows whether it was chosen from a list
 * @throws InvalidInputError; nothing if the service does not say so
 */
export async function refuseNoContract(
	given: unknown,
	address: string,
	client: ServiceClient,
): Promise<void> {
	if (!(await lacksCode(address, client))) return;
	const described = await settle(describeService(client));
	const network = described.status === 'fulfilled' ? described.value.network : undefined;
	const where = `There is no contract at ${shortAddress(address)}${network ? ` on ${network}` : ''}`;
	if (isItem(given) && given.mode === 'list') {
		const problem = `${where}; it was chosen with another wallet service`;
		refuse(tokenParameter.name, problem, 'Choose the token again from the list');
	}
	const hint = 'Check the address, and whether the credential belongs to the network of the token';
	refuse(tokenParameter.name, where, hint);
}
