import type { IDataObject } from 'n8n-workflow';

import { KeptWrites } from './kept-writes.mts';

/** Payments of native coin, under a limit per execution, to a service that keeps each write under a key. */
export class LimitedPayments extends KeptWrites {
	/** The credential with a limit, such as `100 wei`. */
	limited(limit: string, more: IDataObject = {}) {
		return { ...this.node.service.credential(), maxValuePerExecution: limit, ...more };
	}

	/** Parameters that pay `wei` of each item, with an Order ID or options. */
	payments(options: IDataObject = {}): IDataObject {
		const nativeCoin = '={{ $json.wei }} wei';
		const pay = { abi: 'pay() payable', args: '[]' };
		return this.write({ nativeCoin, maxTries: 1, ...options }, pay);
	}
}

/** What became of each item: true, or the code of its error. */
export const marks = (items: readonly { json: IDataObject }[]): unknown[] =>
	items.map(({ json }) => json.replayed ?? json.submitted ?? Object(json.details).code);
