import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import type { ParameterRole, TokenStandard } from '../../contract/token-standards';
import { knownFunction, recognize } from '../../contract/token-standards';
import { shortAddress } from '../../values/address';
import { UNIT_DECIMALS } from '../../values/amount';
import { formatUnitsExact } from '../../values/decimal';
import { MAX_UINT256 } from '../../values/integers';
import { defined } from '../../values/objects';
import type { TokenTransfer } from './transfer';
import { inWords, recipientInWords, tokenInWords, userInWords, wholeTokens } from './transfer';

/** What a write does, as a person reads it, and in parts. */
export interface WriteInWords {
	/** Continues a sentence. */
	readonly words: string;
	/** Fields for people. */
	readonly first: IDataObject;
	/** Fields for programs. */
	readonly then: IDataObject;
	/** What is rarely needed. */
	readonly last: IDataObject;
}

/** The fields of a submitted write, in their order, as far as it has them. */
export const WRITE_FIELDS: readonly string[] = [
	...['summary', 'amount', 'symbol', 'tokenId', 'recipient', 'recipientName', 'spender'],
	...['submitted', 'hash', 'explorerUrl', 'to', 'from', 'tokenAddress', 'baseUnits'],
	...['contractAddress', 'submittedAt', 'userId', 'resolvedAddresses'],
];

/** Those of a token that is sent. */
export const SEND_FIELDS: readonly string[] = WRITE_FIELDS.filter(
	(field) => field !== 'spender' && field !== 'contractAddress',
);

/** A transfer, or an approval, that a call of a token standard's function makes. */
interface KnownTransfer extends TokenTransfer {
	/** Whose wallet `from` is, when it was looked up. */
	readonly fromUser?: string;
	readonly fromName?: string;
	/** Whether nothing moves yet: `to` may take the tokens from then on. */
	readonly isApproval?: boolean;
}

/** What a call passes to a function of a token standard, by what it is. */
type Passed = Partial<Record<ParameterRole, string>> & { readonly standard: TokenStandard };

/** `undefined` when it is not certain what the arguments of a call mean. */
function passedBy({ call, contractFunction, token }: CheckedCall): Passed | undefined {
	const known = recognize(contractFunction);
	// What is not offered, such as `increaseAllowance`, neither sends nor sets an allowance.
	if (known?.title === undefined) return undefined;
	const entries = known.parameters.map(({ is }, index) => [is, call.args[index]] as const);
	const passed: Partial<Record<ParameterRole, string>> = Object.fromEntries(entries);
	if (known.standard === 'erc20') {
		// Tokens from before ERC-721 (CryptoKitties) have a transfer of a numbered token, which looks like one of ERC-20.
		if (passed.tokenId !== undefined) return undefined;
		// ERC-721 has functions of the same types, which return nothing.
		const returns = contractFunction.outputs.map(({ type }) => type).join();
		const isCertain = returns === 'bool' || token?.decimals !== undefined;
		if (!isCertain && knownFunction(known.key, 'erc721') !== undefined) return undefined;
	}
	return { ...passed, standard: known.standard };
}

/** The user whose wallet an address is, when that was looked up for the call. */
function ownerOf(address: string, { resolvedAddresses }: CheckedCall): string | undefined {
	const entries = Object.entries(resolvedAddresses);
	return entries.find(([, wallet]) => wallet.toLowerCase() === address.toLowerCase())?.[0];
}

/**
 * The transfer or approval that a call makes, by the function it calls; `undefined` for every other call. Nothing is looked
 * up for it: symbol and decimals are there when the token was asked for them anyway.
 */
function knownTransfer(checked: CheckedCall): KnownTransfer | undefined {
	const passed = passedBy(checked);
	if (passed === undefined) return undefined;
	const { standard, sender: from, spender, recipient: to = spender } = passed;
	const { amount = passed.quantity, tokenId = passed.kind } = passed;
	if (to === undefined || (amount ?? tokenId) === undefined) return undefined;
	const { call, token, sender, userNames = {} } = checked;
	const { decimals, symbol } = token ?? {};
	const recipient = ownerOf(to, checked) ?? to;
	const fromUser = from === undefined ? undefined : ownerOf(from, checked);
	return {
		...{ standard, token: call.address, to, from, decimals, symbol, sender },
		...{ recipient, recipientName: userNames[recipient] },
		...{ fromUser, fromName: fromUser && userNames[fromUser] },
		amount: amount === undefined ? undefined : BigInt(amount),
		tokenId: tokenId === undefined ? undefined : BigInt(tokenId),
		isApproval: spender !== undefined,
	};
}

function transferInWords(transfer: KnownTransfer): string {
	const { isApproval, amount, from, fromUser, fromName } = transfer;
	const who = recipientInWords(transfer);
	if (isApproval === true) {
		const what =
			amount === MAX_UINT256 ? `any amount of ${tokenInWords(transfer)}` : inWords(transfer);
		return `permission for ${who} to take ${what}`;
	}
	if (from === undefined) return `${inWords(transfer)} to ${who}`;
	const owner = fromUser === undefined ? shortAddress(from) : userInWords(fromUser, from, fromName);
	return `${inWords(transfer)} from ${owner} to ${who}`;
}

/** The fields of a transfer that people read: how much of what, to whom. */
export function fieldsForPeople(transfer: KnownTransfer): IDataObject {
	const { standard, symbol, tokenId, recipient, recipientName, isApproval } = transfer;
	const amount = standard === 'erc1155' ? String(transfer.amount) : wholeTokens(transfer);
	const who = isApproval === true ? { spender: recipient } : { recipient, recipientName };
	return defined({ amount, symbol, tokenId: tokenId?.toString(), ...who });
}

function fieldsForPrograms(transfer: KnownTransfer): IDataObject {
	const { standard, token: tokenAddress, to, from, amount, isApproval } = transfer;
	const baseUnits = standard === 'erc20' ? String(amount) : undefined;
	return defined({ to: isApproval === true ? undefined : to, from, tokenAddress, baseUnits });
}

function callInWords({ call, contractFunction: { name, inputs } }: CheckedCall): string {
	return `${name}${inputs.length === 0 ? '()' : '(…)'} of ${shortAddress(call.address)}`;
}

/** The users that were looked up for a call, without those who are told of elsewhere. */
function otherUsers({ resolvedAddresses }: CheckedCall, told: IDataObject): IDataObject {
	const others = Object.entries(resolvedAddresses).filter(
		([userId, wallet]) => told.recipient !== userId || told.to !== wallet,
	);
	return others.length === 0 ? {} : { resolvedAddresses: Object.fromEntries(others) };
}

/** A write in words, from what is known of it without asking anybody. */
export function describeWrite(checked: CheckedCall): WriteInWords {
	const transfer = knownTransfer(checked);
	const { address, value: wei = '0' } = checked.call;
	const first = transfer ? fieldsForPeople(transfer) : {};
	const then = transfer ? fieldsForPrograms(transfer) : { contractAddress: address };
	const value = BigInt(wei);
	const coin = value === 0n ? '' : `, with ${formatUnitsExact(value, UNIT_DECIMALS.ether)} ether`;
	const words = `${transfer ? transferInWords(transfer) : callInWords(checked)}${coin}`;
	return { words, first, then, last: otherUsers(checked, { ...first, ...then }) };
}
