/**
 * How many random cases a test makes: `THOROUGH=10 npm test` makes ten times as many as usual.
 *
 * @param usual number of cases of an ordinary run, which is to end within minutes
 */
export const thorough = (usual: number): number =>
	Math.ceil(usual * Number(process.env.THOROUGH ?? 1));
