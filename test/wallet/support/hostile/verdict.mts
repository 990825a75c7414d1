/** What a case of the hostile endpoint has shown. */
export interface Verdict {
	name: string;
	/** What was false, beyond the limits, or not right in the end; none if the service holds. */
	faults: string[];
	/** What was told as not final, and was not so. */
	early: string[];
	/** Whether a documented command was needed. */
	isHelped: boolean;
	/** Time until everything was right after the lie. */
	seconds: number;
}

/** Whether a message is a verdict. */
export const isVerdict = (message: unknown): message is Verdict =>
	typeof message === 'object' && message !== null && 'faults' in message;
