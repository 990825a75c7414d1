/** The packed package in the oldest n8n that it works in, and in the newest. Each n8n starts once, for all parts. */
import { lockedN8n } from '../../tools/n8n/program.mts';
import { testLostResults } from '../support/n8n/lost-results.mts';
import { testNestedAgents } from '../support/n8n/nested-agents.mts';
import { testFailures } from './parts/failures.mts';
import { testKeptWrites } from './parts/kept-writes.mts';
import { testSignIns } from './parts/oauth2.mts';
import { testOperations } from './parts/operations.mts';
import { kept, useVersion } from './support/prepared-n8n.mts';
import { olderVersions, statedResults, versionsOf } from './support/tested-versions.mts';
import { KEPT } from './support/workflows.mts';

test('the documentation lists exactly the versions that are tested here', async () => {
	const [newest] = await versionsOf(lockedN8n);
	expect([...(await statedResults()).keys()]).toEqual([...olderVersions(), newest]);
});

describe.each([...olderVersions(), 'newest'])('n8n %s', (version) => {
	const n8n = useVersion(version);
	describe('a sign-in', () => testSignIns(n8n));
	describe('a failure', () => testFailures(n8n));
	describe('an agent', () => testLostResults(n8n, KEPT, () => kept));
	describe('an agent of an agent', () => testNestedAgents(n8n, KEPT, () => kept));
	describe('writes that the service keeps', () => testKeptWrites(n8n));
	// Leaves a trigger published, which goes on polling.
	describe('the operations', () => testOperations(version, n8n));
});
