import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { storeCall } from '../../support/contract-calls.mts';
import { sendOf } from '../../support/kinds-of-writes.mts';
import type { CallPlan, Job, NodePlan, Switch } from './jobs.mts';
import { BROKEN_OPTIONS, NONCES } from './jobs.mts';
import type { Ask } from './logs.mts';
import { PADDING } from './clients.mts';

/** The content of a field: a constant, or an expression if the form cannot hold the value. */
const entered = (given: unknown) =>
	typeof given === 'boolean' ? given : `={{ ${JSON.stringify(given) ?? 'undefined'} }}`;

const touched = (name: string, one: Switch): IDataObject =>
	one === undefined ? {} : { [name]: entered(one.given) };

/** The parameters of the call itself. */
function callParametersOf(node: NodePlan, from: (name: string) => string): IDataObject {
	const nonce = NONCES[node.nonce];
	const contract = `={{ ${from('to')} }}`;
	if (node.function.isSend) {
		const recipient = `={{ "0x" + String(${from('tag')}).padStart(40, "${PADDING}") }}`;
		return sendOf({ token: contract, recipient, amount: `={{ ${nonce} }}` });
	}
	const args = `={{ [${[from('tag'), nonce, ...node.function.more].join(', ')}] }}`;
	return storeCall(contract, { abi: node.function.abi, args });
}

/** The switches that differ between calls, and are therefore expressions. */
function perCallOf({ node, calls }: Job) {
	const differs = (name: 'preview' | 'resend') =>
		node[name] === undefined && calls.some((call) => call[name].given !== false);
	return { preview: differs('preview'), resend: differs('resend') };
}

/**
 * The node's parameters.
 *
 * @param from makes an expression for a property of the item, or for a model's value
 */
export function parametersOf(
	job: Job,
	from: (name: string) => string,
	{ name, timeout }: { readonly name: string; readonly timeout: number | undefined },
): INodeParameters {
	const { node } = job;
	const perCall = perCallOf(job);
	return {
		...callParametersOf(node, from),
		...touched('simplify', node.simplify),
		...(perCall.preview && { preview: `={{ ${from('preview')} }}` }),
		...touched('preview', node.preview),
		...(node.order && {
			orderId: `={{ "${name} " + ${node.order === 'each' ? from('tag') : '"one"'} }}`,
		}),
		options: {
			maxTries: node.maxTries,
			...(timeout !== undefined && { timeout }),
			...(node.hasValue && { nativeCoin: `={{ ${from('value')} }} wei` }),
			...(perCall.resend && { sendAgain: `={{ ${from('resend')} }}` }),
			...touched('sendAgain', node.resend),
			...(node.brokenOptions && BROKEN_OPTIONS[node.brokenOptions]),
		},
	} as INodeParameters;
}

const tagOf = ({ tag, isBad }: CallPlan) => (isBad ? `x${tag}` : tag);

/** The JSON of an item or tool call. */
export const inputOf = (call: CallPlan): IDataObject =>
	({
		tag: tagOf(call),
		to: call.address,
		value: call.value.given,
		preview: call.preview.given,
		resend: call.resend.given,
	}) as IDataObject;

/** The request of a call according to the rules. */
function askOf(job: Job, call: CallPlan): Ask {
	const { node } = job;
	const perCall = perCallOf(job);
	const resend = perCall.resend ? call.resend : node.resend;
	const switches = [resend, node.simplify, node.preview];
	const canBeRead = switches.every((one) => one === undefined || one.means !== undefined);
	const isRight = !call.isBad && (!node.hasValue || call.value.means !== undefined);
	const isShown = node.preview?.means ?? (perCall.preview && call.preview.means);
	const canBeSent = canBeRead && isRight && node.brokenOptions === undefined;
	return {
		tag: tagOf(call),
		address: call.address.toLowerCase(),
		selector: node.function.selector,
		value: (node.hasValue ? call.value.means : undefined) ?? 0n,
		wish: !canBeSent ? 'refuse' : isShown ? 'show' : 'send',
		mayFail: node.function.isSend || node.function.more.length > 0,
		isResend: resend?.means === true,
		isRandom: node.nonce === 'Math.random()',
		order: node.order === 'each' ? tagOf(call) : node.order,
	};
}

/** Finds the request for an input. */
export function askFor(job: Job, { tag, value, to }: IDataObject): Ask {
	const same = job.calls.filter((call) => tagOf(call) === tag && call.address === to);
	const call = same.find((one) => (one.value.given ?? '') === (value ?? '')) ?? same[0];
	if (call === undefined) throw new Error(`There is no call with tag ${String(tag)}`);
	return askOf(job, call);
}
