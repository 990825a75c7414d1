import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';

/** An item with the addresses that were used for user IDs, if any. */
export function withResolvedAddresses(
	item: IDataObject,
	{ resolvedAddresses }: CheckedCall,
): IDataObject {
	if (Object.keys(resolvedAddresses).length === 0) return item;
	return { ...item, resolvedAddresses: { ...resolvedAddresses } };
}
