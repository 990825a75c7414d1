/** An amount in whole tokens, exact. ethers' function of this name refuses more than 80 of the 255 possible decimals. */
export function formatUnits(value: bigint, decimals: number): string {
	if (decimals === 0) return value.toString();
	const digits = value.toString().padStart(decimals + 1, '0');
	const fraction = digits.slice(-decimals).replace(/0+$/, '') || '0';
	return `${digits.slice(0, -decimals)}.${fraction}`;
}
