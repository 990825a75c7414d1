/** The limits of the access token do not allow the call. Nothing was signed. */
export class LimitExceeded extends Error {
	constructor(problem: string) {
		super(`The limits of the access token do not allow this call: ${problem}`);
	}
}
