/** A command was used in a wrong way, or a person stopped it; the message is all there is to say. */
export class UsageError extends Error {}
