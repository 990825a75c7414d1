/** A network and a wallet service with paying users, for the tests of a file. */
import { execa } from 'execa';
import { useResources, inTests, type Resources } from '../../support/resources.mts';
import { startPostgres } from '../../support/servers.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { InstalledService, type Payer } from '../../../tools/wallet/installed-service.mts';
import { startNetwork, type Network } from '../../../tools/wallet/network.mts';

export const DATABASES = ['sqlite', 'postgres'] as const;
export type DatabaseKind = (typeof DATABASES)[number];

/** URL of a new PostgreSQL server. */
export async function postgresUrl(resources: Resources): Promise<string> {
	const { DB_POSTGRESDB_PORT: port, DB_POSTGRESDB_USER: user } = await startPostgres(resources);
	return `postgres://${user}@127.0.0.1:${port}/postgres`;
}

export interface Installation {
	network: Network;
	service: InstalledService;
	payers: Payer[];
}

/** Sets up a service with one user, who has native coin. */
export async function install(
	resources: Resources,
	database: DatabaseKind,
	{ blockSeconds = 0, payers: count = 1 } = {},
): Promise<Installation> {
	const { path: folder } = await resources.use(temporaryFolder('service'));
	const databaseUrl = database === 'postgres' ? await postgresUrl(resources) : undefined;
	const network = await resources.use(startNetwork(blockSeconds));
	const service = await InstalledService.create(folder, [network.rpcUrl], databaseUrl);
	await service.weakenKeyFile();
	const payers = await service.addPayers(count);
	await Promise.all(payers.map(({ address }) => network.fund(address)));
	return { network, service, payers };
}

/** Like {@link install}, for all tests of a file or of a `describe`. */
export function useInstallation(database: DatabaseKind, blockSeconds = 0): () => Installation {
	const resources = useResources();
	return inTests(beforeAll, async () => await install(resources, database, { blockSeconds }));
}

/** Locations of empty databases, for the tests of a `describe`; those of PostgreSQL are on one server. */
export function useDatabases(kind: DatabaseKind): () => Promise<string> {
	const resources = useResources();
	const server = inTests(beforeAll, async () => {
		return kind === 'sqlite' ? '' : await postgresUrl(resources);
	});
	return async () => {
		if (server() === '') return ':memory:';
		const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
		await execa('psql', [`--dbname=${server()}`, `--command=CREATE DATABASE ${name}`]);
		return new URL(`/${name}`, server()).href;
	};
}
