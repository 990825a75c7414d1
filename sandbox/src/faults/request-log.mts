/** A request that arrived. */
export interface LoggedRequest {
	method: string;
	/** As sent, without the query. */
	path: string;
	/** Time of arrival, ISO 8601. */
	time: string;
	/** SHA-256 of the body, hexadecimal; null until the body has arrived. */
	bodyDigest: string | null;
	/** Whether there was an Authorization header. */
	authorization: boolean;
	/** Kind of the fault that hit it; several are separated by commas. */
	fault: string | null;
}

/** The requests that reached the service, and how many were in flight simultaneously. */
export class RequestLog {
	#requests: LoggedRequest[] = [];
	#now = 0;
	#max = 0;

	get requests(): LoggedRequest[] {
		return this.#requests;
	}

	/** Requests that are being answered, and their maximum at any one time since the last reset. */
	get inFlight(): { now: number; max: number } {
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
