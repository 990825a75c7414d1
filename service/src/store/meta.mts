import type { Queries } from './tables.mts';

export async function readMeta(db: Queries, name: string): Promise<string | undefined> {
	const row = await db
		.selectFrom('meta')
		.select('value')
		.where('name', '=', name)
		.executeTakeFirst();
	return row?.value;
}

/**
 * Ties the database to one value for ever, such as the chain that its nonces belong to: writes it if there is none.
 *
 * @throws Error with `problem` if the database has another value
 */
export async function bind(
	db: Queries,
	name: string,
	value: string,
	problem: (bound: string) => string,
): Promise<void> {
	await db
		.insertInto('meta')
		.values({ name, value })
		.onConflict((conflict) => conflict.column('name').doNothing())
		.execute();
	const bound = await readMeta(db, name);
	if (bound !== value) throw new Error(problem(bound ?? ''));
}
