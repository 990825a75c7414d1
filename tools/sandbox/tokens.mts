import type { SandboxReady } from '../../sandbox/src/ready.mts';

/** The tokens of the sandbox, fungible ones first; an ERC-1155 contract has no symbol. */
export function sandboxTokens({ contracts }: Pick<SandboxReady, 'contracts'>) {
	const { usd, gold, art, items } = contracts;
	return [
		{ symbol: 'SUSD', name: 'Sandbox Dollar', address: usd },
		{ symbol: 'SGLD', name: 'Sandbox Gold', address: gold },
		{ symbol: 'SART', name: 'Sandbox Art, single pieces (ERC-721)', address: art },
		{ symbol: '', name: 'Sandbox Items (ERC-1155)', address: items },
	];
}
