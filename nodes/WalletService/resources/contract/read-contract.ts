import type { CheckedCall } from '../../contract/call';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';

/** The answer to a call that only reads (interface, section 4.5). @throws ServiceError when it is not a success. */
export async function readContract(client: ServiceClient, { call }: CheckedCall): Promise<unknown> {
	return await client.post(ROUTES.read.url, JSON.stringify(call));
}
