/** The fixed, readable access token of a sandbox user: public test material. */
export function fixedTokenOf({ id }: { id: string }): string {
	const readable = id.toLowerCase().replace(/[^a-z0-9]+/g, '-');
	return `sandbox-token-${readable.replace(/-$/, '')}`;
}
