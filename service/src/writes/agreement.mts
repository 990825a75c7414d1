/** A refusal is a statement about money: it needs all endpoints that answer, and as many as must agree. */
import { ChainUnavailable } from '../rpc/failures.mts';
import { countedOf, type Outcome } from '../rpc/outcomes.mts';

/** The endpoints disagree about whether a call can take place. They may agree a moment later. */
export class EndpointsDisagree extends ChainUnavailable {}

/**
 * Whether all endpoints say that a call cannot take place, rather than none.
 *
 * @param about what they are asked, for the message
 * @throws EndpointsDisagree if some say so, or too few answer
 */
export function allRefuse<T>(
	outcomes: readonly Outcome<T>[],
	quorum: number,
	about: string,
	isRefused: (outcome: Outcome<T>) => boolean,
): boolean {
	const counted = countedOf(outcomes);
	const refusing = counted.filter(isRefused).length;
	if (refusing === 0) return false;
	if (refusing < counted.length) {
		throw new EndpointsDisagree(`The endpoints disagree about ${about}`);
	}
	if (outcomes.length < quorum) {
		throw new EndpointsDisagree(`Too few endpoints report ${about}`);
	}
	return true;
}
