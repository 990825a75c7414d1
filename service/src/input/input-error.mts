/** Invalid input; `field` names the invalid part of the request, for example `args[0].amount`. */
export class InputError extends Error {
	readonly field: string;

	constructor(field: string, message: string, options?: ErrorOptions) {
		super(message, options);
		this.field = field;
	}
}
