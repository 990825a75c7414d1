import type { StoredWrite } from '../store/writes.mts';

/** The call was refused for a reason of the chain: it would revert, or the wallet cannot pay. Nothing was signed. */
export class CallRefused extends Error {}

/** Nothing was signed; the request may be repeated. */
export class TooManyOpenWrites extends Error {}

/** The wallet signs nothing until it is reconciled. */
export class WalletClosed extends Error {}

/** Another request with the same key is being answered. */
export class InProgress extends Error {}

/** A later attempt of the execution has begun, which decides what is left to send. Nothing was sent. */
export class Superseded extends Error {
	constructor() {
		super('A later attempt of this execution has begun');
	}
}

/** The key was taken out of use. */
export class KeyIsVoid extends Error {}

/** The key belongs to another call. */
export class KeyReused extends Error {
	readonly stored: StoredWrite;

	constructor(stored: StoredWrite) {
		super('The key belongs to another call');
		this.stored = stored;
	}
}

/** The database did not confirm that the signed transaction is stored, so nobody knows whether it will be sent. */
export class Undecided extends Error {
	readonly hash: string;

	constructor(hash: string, options?: ErrorOptions) {
		super('The database did not confirm the write', options);
		this.hash = hash;
	}
}
