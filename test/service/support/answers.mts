/** The answer with every BigNumber as a bigint. */
export function toValue(answer: unknown): unknown {
	if (Array.isArray(answer)) return answer.map(toValue);
	if (typeof answer !== 'object' || answer === null || !('hex' in answer)) return answer;
	const hex = String(answer.hex);
	return hex.startsWith('-') ? -BigInt(hex.slice(1)) : BigInt(hex);
}
