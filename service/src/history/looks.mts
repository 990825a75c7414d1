/** How an endpoint's chain stands to the blocks that were read before. */
import { blockIn, blockWith, type Block } from '../rpc/blocks.mts';
import type { RpcClient } from '../rpc/client.mts';
import { EndpointFailure } from '../rpc/failures.mts';
import type { Point } from '../store/cursors.mts';
import { hex } from './logs.mts';

/** What an endpoint has of the blocks that were read. */
export interface Look {
	client: RpcClient;
	/** Its newest block. */
	latest: Block;
	/** The newest of the blocks that it has; undefined if it lacks even the final one. */
	base: Point | undefined;
	/** Whether it has another block in the place of the head or, if it lacks the final one, of that. */
	hasOther: boolean;
}

/**
 * Looks at an endpoint's chain.
 *
 * @param points blocks that were read, from the final one to the head
 * @throws EndpointFailure
 */
export async function lookAt(
	client: RpcClient,
	points: readonly [final: Point, ...newer: Point[]],
): Promise<Look> {
	const latest = blockIn(await client.call('eth_getBlockByNumber', ['latest', false]));
	if (!latest) throw new EndpointFailure(`${client.name} has no newest block`);
	/** Whether it has a block; undefined if it has none with the number. */
	const has = async ({ block, hash }: Point): Promise<boolean | undefined> => {
		if (block > latest.number) return undefined;
		const answer = await client.call('eth_getBlockByNumber', [hex(block), false]);
		const found = blockWith(block)(answer);
		return found && found.hash === hash;
	};
	const [final] = points;
	const head = points.at(-1) ?? final;
	const hasHead = await has(head);
	if (hasHead === true) return { client, latest, base: head, hasOther: false };
	const hasFinal = await has(final);
	if (hasFinal !== true) {
		return { client, latest, base: undefined, hasOther: hasFinal === false };
	}
	// Below a block that it has, it has all.
	let [known, unknown] = [0, points.length - 1];
	while (unknown - known > 1) {
		const middle = Math.floor((known + unknown) / 2);
		if ((await has(points[middle] ?? head)) === true) known = middle;
		else unknown = middle;
	}
	return { client, latest, base: points[known], hasOther: hasHead === false };
}
