/** Labels of writes and attempts in the sandbox: with keys as in the service, without keys not at all. */
import { OAuthClient } from '../support/sandbox/oauth-client.mts';
import { useService } from '../support/sandbox/service.mts';

const LABELS = { 'Write-Node': 'node', 'Write-Execution': 'execution', 'Write-Call': 'call' };
const GROUP = { node: 'node', execution: 'execution' };
const EQUAL = '/v1/writes?node=node&call=call&within=600';

describe('with keys', () => {
	const sandbox = useService({ SANDBOX_WRITE_KEYS: '1' });

	test('an access token of a sign-in tells whose it is', async () => {
		const { id, username, address } = sandbox().user('mika_dev');
		const { access_token: token } = await new OAuthClient(sandbox().ready).signIn(id);
		const { data } = await sandbox().client(token).get('/v1/service');
		expect(data).toMatchObject({ user: { id, username, address }, writes: { attempts: true } });
	});

	test('a write is listed by its labels, and refused in an older attempt', async () => {
		const { contracts, as } = sandbox();
		const nelly = as('Nelly');
		const body = { address: contracts.shapes, abi: 'store(uint256)', args: ['1'] };
		await nelly.put('/v1/writes/one', body, { headers: LABELS });
		const listed = { key: 'one', ...GROUP, call: 'call' };
		const { data } = await nelly.post('/v1/attempts', GROUP);
		expect(data).toMatchObject({ attempt: 1, writes: [listed] });
		expect((await nelly.get(EQUAL)).data.writes).toMatchObject([listed]);
		const late = await nelly.put('/v1/writes/two', body, { headers: LABELS });
		expect(late).toMatchObject({ status: 412, data: { code: 'write_superseded' } });
	});
});

describe('without keys', () => {
	const sandbox = useService();

	test('there are neither labels nor attempts, nor is a user reported', async () => {
		const { contracts, as, anonymous } = sandbox();
		const nelly = as('Nelly');
		const unknown = { status: 404, data: { code: 'unknown_route' } };
		expect(await nelly.post('/v1/attempts', GROUP)).toMatchObject(unknown);
		expect(await nelly.get(EQUAL)).toMatchObject(unknown);
		const { data } = await nelly.get('/v1/service');
		expect(data).toEqual((await anonymous.get('/v1/service')).data);
		expect(data.writes).toBe(false);
		const body = { address: contracts.shapes, abi: 'store(uint256)', args: ['1'] };
		const headers = { 'Write-Node': 'not a label', 'Write-Attempt': '7' };
		const written = await nelly.post('/v1/contracts/method/write', body, { headers });
		expect(written).toMatchObject({ status: 200, data: { status: 'SUCCESS' } });
		const { paths } = (await anonymous.get('/openapi.json')).data;
		expect(Object.keys(paths).filter((path) => /writes|attempts/.test(path))).toEqual([]);
	});
});
