/** Solidity's keywords, which cannot be identifiers (Solidity documentation, "Reserved Keywords" and "Language Grammar"). */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
	[
		'abstract after alias anonymous apply as assembly auto break byte calldata case catch constructor continue contract',
		'copyof default define delete do else emit enum error event fallback false final fixed for function hex if immutable',
		'implements import in indexed inline interface is let library macro mapping match memory modifier mutable new null of',
		'partial pragma promise receive reference relocatable sealed sizeof static storage struct supports switch throw true',
		'try tuple type typedef typeof ufixed unchecked using var while',
	].flatMap((line) => line.split(' ')),
);
