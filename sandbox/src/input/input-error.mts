/** Input that cannot be used; `field` is the part of the request that is wrong, as in `args[0].amount`. */
export class InputError extends Error {
	readonly field: string;

	constructor(field: string, message: string, options?: ErrorOptions) {
		super(message, options);
		this.field = field;
	}
}
