import Type, { type Static } from 'typebox';
import { Closed } from '../../../service/src/schemas/closed.mts';

export const LoggedRequest = Closed({
	method: Type.String(),
	path: Type.String({ description: 'Path as sent, without the query.' }),
	time: Type.String({ description: 'Time of arrival, ISO 8601.' }),
	bodyDigest: Type.Union([Type.String(), Type.Null()], {
		description: 'SHA-256 of the body, hexadecimal; null until the body has arrived.',
	}),
	authorization: Type.Boolean({ description: 'Whether there was an Authorization header.' }),
	fault: Type.Union([Type.String(), Type.Null()], {
		description: 'Kind of the fault that hit it; several are separated by commas.',
	}),
});

export type LoggedRequest = Static<typeof LoggedRequest>;

export const InFlight = Closed({
	now: Type.Integer({ description: 'Requests that are being answered.' }),
	max: Type.Integer({ description: 'Maximum at any one time since the last reset.' }),
});

/** The requests that reached the service, and how many were in flight simultaneously. */
export class RequestLog {
	#requests: LoggedRequest[] = [];
	#now = 0;
	#max = 0;

	get requests(): LoggedRequest[] {
		return this.#requests;
	}

	get inFlight(): Static<typeof InFlight> {
		return { now: this.#now, max: this.#max };
	}

	/** @returns a function to call once the request has been answered; only its first call counts */
	arrived(request: LoggedRequest): () => void {
		this.#requests.push(request);
		this.#now += 1;
		this.#max = Math.max(this.#max, this.#now);
		let isUnderWay = true;
		return () => {
			if (isUnderWay) this.#now -= 1;
			isUnderWay = false;
		};
	}

	reset(): void {
		this.#requests = [];
		this.#max = this.#now;
	}
}
