/** When an endpoint lies; `moments.mts` says what happens then. */
export type MomentName =
	| 'first start'
	| 'start'
	| 'write'
	| 'pool'
	| 'block'
	| 'undone'
	| 'final'
	| 'foreign'
	| 'history'
	| 'dear'
	| 'given up';
