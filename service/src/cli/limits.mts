import { formatUnits, parseUnits } from 'ethers';
import { knownFunction } from '../../../nodes/WalletService/contract/token-standards.ts';
import { chainAt, type Chain } from '../chain/chain.mts';
import { TokenReader } from '../chain/token-metadata.mts';
import { connectChain, networkFor } from '../identity.mts';
import { isHexAddress } from '../input/address.mts';
import { parseSignature } from '../input/function-signature.mts';
import { InputError } from '../input/input-error.mts';
import { readAsset } from '../limits/asset.mts';
import { Spending } from '../limits/spending.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { ChainUnavailable } from '../rpc/failures.mts';
import { bytes } from '../rpc/values.mts';
import type { AssetLimit, Limits } from '../schemas/limits.mts';
import { listTokens, limitsOfToken } from '../store/tokens.mts';
import type { Commands, Values } from './command-line.mts';
import { openHome, type OpenHome } from './open-home.mts';
import { UsageError } from './usage-error.mts';

type Period = 'perCall' | 'perDay';

const AMOUNT = /^(\d+(?:\.\d+)?) +(native|0x[0-9a-fA-F]{40})$/;
const EXAMPLE = '"250 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", or "0.5 native"';

function addressOf(text: string): string {
	if (isHexAddress(text)) return text.toLowerCase();
	throw new UsageError(`"${text}" is not an address, or its checksum is wrong`);
}

/** The parts of a list, between commas outside all parentheses. */
export function partsOf(text: string): string[] {
	const parts: string[] = [];
	let part = '';
	for (const piece of text.split(',')) {
		part += piece;
		const isWhole = part.split('(').length <= part.split(')').length;
		if (isWhole) parts.push(part);
		part = isWhole ? '' : `${part},`;
	}
	return part === '' ? parts : [...parts, part];
}

/** Entries of a list option. */
const entries = (texts: string[] | undefined) =>
	texts?.flatMap(partsOf).map((entry) => entry.trim());

function functionOf(text: string): string {
	try {
		const signature = parseSignature(text);
		const name = signature.format('sighash');
		if ((knownFunction(signature.selector)?.fn.key ?? name) === name) return name;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
	}
	throw new UsageError(`"${text}" is not a function: for example "transfer(address,uint256)"`);
}

/** Amounts in whole tokens, by asset and period. */
function amountsIn(options: Values): Map<string, Partial<Record<Period, string>>> {
	const amounts = new Map<string, Partial<Record<Period, string>>>();
	const given: [Period, string[] | undefined][] = [
		['perCall', options['per-call']],
		['perDay', options['per-day']],
	];
	for (const [period, texts = []] of given) {
		for (const text of texts) {
			const [, amount, asset = ''] = AMOUNT.exec(text) ?? [];
			if (amount === undefined) {
				throw new UsageError(`"${text}" is not an amount and a token: for example ${EXAMPLE}`);
			}
			const key = asset === 'native' ? asset : addressOf(asset);
			const limit = amounts.get(key) ?? {};
			if (limit[period] !== undefined)
				throw new UsageError(`"${text}" is a second limit for ${asset}`);
			amounts.set(key, { ...limit, [period]: amount });
		}
	}
	return amounts;
}

/** Calls contracts; as many endpoints as must agree have to answer. @throws ContractRefusal, ChainUnavailable */
const certainCall =
	(endpoints: Endpoints): Chain['call'] =>
	async (call) => {
		const heard = await endpoints.heard(bytes, 'eth_call', [call, 'latest']);
		if (!heard.isCertain) throw new ChainUnavailable('Too few endpoints answer for a limit');
		if (heard.refusal) throw heard.refusal;
		return heard.answer;
	};

/** Converts amounts to base units, exactly, with the decimals that the chain reports. */
async function readAmounts({ db, settings }: OpenHome, options: Values): Promise<AssetLimit[]> {
	const amounts = amountsIn(options);
	if (amounts.size === 0) return [];
	const endpoints = await connectChain(db, settings.rpc);
	const network = networkFor(endpoints.identity.chainId, settings);
	// A limit stays: no endpoint decides it while the others are silent.
	const chain = { ...chainAt(endpoints, network), call: certainCall(endpoints) };
	const coin = { asset: 'native', kind: 'native', decimals: 18, symbol: network.symbol } as const;
	const read = async ([asset, limits]: [
		string,
		Partial<Record<Period, string>>,
	]): Promise<AssetLimit> => {
		const { symbol } = asset === 'native' ? coin : await new TokenReader(endpoints).metadata(asset);
		const facts = asset === 'native' ? coin : await readAsset(chain, asset, symbol);
		const units = Object.entries(limits).map(([period, amount]) => {
			const [, places = ''] = amount.split('.');
			if (places.length > facts.decimals) {
				throw new UsageError(
					`${facts.symbol} has ${facts.decimals} decimal places, fewer than ${amount}`,
				);
			}
			return [period, String(parseUnits(amount, facts.decimals))];
		});
		return { ...facts, ...Object.fromEntries(units) };
	};
	const all: AssetLimit[] = [];
	for (const one of amounts) all.push(await read(one));
	return all;
}

/** The limits in the options of a command. @returns undefined if there are none */
export async function limitsIn(open: OpenHome, options: Values): Promise<Limits | undefined> {
	const contracts = entries(options.contracts)?.map(addressOf);
	const recipients = entries(options.recipients)?.map(addressOf);
	const functions = entries(options.functions)?.map(functionOf);
	const amounts = await readAmounts(open, options);
	const limits: Limits = {
		...(contracts ? { contracts } : {}),
		...(functions ? { functions } : {}),
		...(recipients ? { recipients } : {}),
		...(amounts.length > 0 ? { amounts } : {}),
	};
	return Object.keys(limits).length === 0 ? undefined : limits;
}

const print = (name: string, text: string) => process.stdout.write(`${name.padEnd(11)} ${text}\n`);

export const commands: Commands = {
	/** Prints the limits of a token, and what is left of them. */
	async 'token limits'(id, _options, environment) {
		await using open = await openHome(environment);
		const found = (await listTokens(open.db)).some((token) => token.id === id);
		if (!found) throw new UsageError(`There is no token ${id}`);
		const limits = await limitsOfToken(open.db, id);
		if (Object.keys(limits).length === 0) print('Limits', 'none');
		for (const name of ['contracts', 'functions', 'recipients'] as const) {
			const list = limits[name];
			if (list) print(name[0]?.toUpperCase() + name.slice(1), list.join(', '));
		}
		const { amounts = [] } = await new Spending().withLeft(open.db, id, limits);
		for (const { asset, symbol, decimals, perCall, perDay, left = '0' } of amounts) {
			const inWords = (units: string) => formatUnits(units, decimals).replace(/\.0$/, '');
			const parts = [
				...(perDay === undefined ? [] : [`${inWords(perDay)} in 24 hours, ${inWords(left)} left`]),
				...(perCall === undefined ? [] : [`${inWords(perCall)} per call`]),
			];
			print(symbol, `${parts.join('; ')}${asset === 'native' ? ', gas included' : `  ${asset}`}`);
		}
	},
};
