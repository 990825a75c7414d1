/** The limits of a token on the command line, and what the service reports of them. */
import axios from 'axios';
import { execa } from 'execa';
import { walletCommand } from '../../tools/wallet/installed-service.mts';
import { deploy } from '../support/deploy.mts';
import { until } from '../support/until.mts';
import { inTests, Resources } from '../support/resources.mts';
import { useInstallation } from './support/network-and-service.mts';

const STRANGER = `0x${'5'.repeat(40)}`;
const installed = useInstallation('sqlite');

/** Addresses of contracts by the names that the cases below use. */
const contracts = inTests(beforeAll, async () => {
	const { network } = installed();
	const usd = await deploy(network, 'SandboxToken', 'Sandbox Dollar', 'SUSD', 6);
	const hostile = await deploy(network, 'Hostile');
	const yes = `0x${'1'.padStart(64, '0')}`;
	// decimals() and supportsInterface(bytes4), whatever is asked.
	for (const selector of ['0x313ce567', '0x01ffc9a7']) {
		await (await hostile.contract.getFunction('setAnswer').send(selector, yes)).wait();
	}
	await (
		await usd.contract.getFunction('mint').send(installed().payers[0]?.address, 10n ** 9n)
	).wait();
	const [art, items] = [await deploy(network, 'SandboxArt'), await deploy(network, 'SandboxItems')];
	const shapes = await deploy(network, 'Payouts');
	// Coins and NFTs at once (ERC-404), whose functions take a small amount for the ID of an NFT: decimals() and getApproved(uint256).
	const hybrid = await deploy(network, 'Hostile');
	for (const selector of ['0x313ce567', '0x081812fc']) {
		await (await hybrid.contract.getFunction('setAnswer').send(selector, yes)).wait();
	}
	return Object.entries({ usd, hostile, art, items, shapes, hybrid }).map(
		([name, { address }]) => [name, address] as const,
	);
});
const addressOf = (name: string) => contracts().find(([own]) => own === name)?.[1] ?? name;

/** Runs a command, in which `$usd` is the address of the contract with that name. */
async function run(...args: string[]) {
	const named = args.map((arg) => arg.replace(/\$(\w+)/g, (_all, name: string) => addressOf(name)));
	const { exitCode, stdout, stderr } = await execa(
		process.execPath,
		[await walletCommand(), ...named],
		{ env: installed().service.environment, extendEnv: false, stdin: 'ignore', reject: false },
	);
	return { exitCode, lines: stdout.split('\n'), errors: stderr.split('\n') };
}

/** Creates a token with limits. @returns it and its ID */
async function create(...options: string[]) {
	const { lines, errors, exitCode } = await run('token', 'create', 'LOCAL-0', ...options);
	expect({ exitCode, errors }).toEqual({
		exitCode: 0,
		errors: [expect.stringMatching(/only once/)],
	});
	const id = (await run('token', 'list')).lines.at(-1)?.split(' ')[0] ?? '';
	return { token: lines[0] ?? '', id };
}

test('limits are stored exactly, and are shown with what is left', async () => {
	const { token, id } = await create(
		...['--per-day', '250.000001 $usd', '--per-day', '0.5 native', '--per-call', '0.1 native'],
		...['--per-call', '2 $art', '--per-day', '7 $items', '--recipients', `${STRANGER},$usd`],
		...[
			'--contracts',
			'$usd',
			'--contracts',
			'$art',
			'--functions',
			'transfer(address to, uint amount), f((uint256,bool)[])',
		],
	);
	const before = (await run('token', 'limits', id)).lines;
	expect(before).toEqual([
		`Contracts   ${addressOf('usd')}, ${addressOf('art')}`.toLowerCase().replace('c', 'C'),
		'Functions   transfer(address,uint256), f((uint256,bool)[])',
		`Recipients  ${STRANGER}, ${addressOf('usd').toLowerCase()}`,
		'ETH         0.5 in 24 hours, 0.5 left; 0.1 per call, gas included',
		expect.stringMatching(/^\w+ +2 per call {2}0x/),
		expect.stringMatching(/^SUSD {8}250\.000001 in 24 hours, 250\.000001 left {2}0x/),
		expect.stringMatching(/^0x\w+ 7 in 24 hours, 7 left {2}0x/),
	]);
	await using resources = new Resources();
	await resources.use(installed().service.start());
	const { url } = installed().service;
	const headers = { authorization: `Bearer ${token}` };
	const args = [STRANGER, '1000001'];
	const call = { address: addressOf('usd'), abi: 'transfer(address,uint256)', args };
	expect((await axios.put(`${url}/v1/writes/one`, call, { headers })).status).toBe(200);
	await installed().network.provider.send('anvil_mine', ['0x80']);
	await until(async () => !/0\.5 left/.test((await run('token', 'limits', id)).lines[3] ?? ''));
	const described = (await axios.get(`${url}/v1/service`, { headers })).data;
	const dollars = described.token.amounts.find(
		({ symbol }: { symbol: string }) => symbol === 'SUSD',
	);
	expect(dollars).toMatchObject({ decimals: 6, perDay: '250000001', left: '249000000' });
	const { token: limits, user, ...rest } = described;
	expect(limits.recipients).toContain(STRANGER);
	for (const unknown of [{}, { authorization: 'Bearer unknown' }]) {
		expect((await axios.get(`${url}/v1/service`, { headers: unknown })).data).toEqual(rest);
	}
	const unlimited = { authorization: `Bearer ${installed().payers[0]?.token}` };
	expect(user).toEqual({
		id: 'LOCAL-0',
		username: '0',
		address: expect.stringMatching(/^0x\w{40}$/),
	});
	const other = (await axios.get(`${url}/v1/service`, { headers: unlimited })).data;
	expect(other).toEqual({ ...rest, user });
});

test.each<[options: string[], line: RegExp]>([
	[['--per-day', '250'], /^"250" is not an amount and a token: for example "250 0xA0b8/],
	[['--per-day=-1 native'], /^"-1 native" is not an amount and a token/],
	[['--per-day', '1e3 native'], /is not an amount and a token/],
	[['--per-day', '0,5 native'], /is not an amount and a token/],
	[['--per-day', '1 SUSD'], /is not an amount and a token/],
	[['--per-day', '0.0000001 $usd'], /^SUSD has 6 decimal places, fewer than 0\.0000001$/],
	[['--per-day', '1.5 $art'], /has 0 decimal places, fewer than 1\.5$/],
	[['--per-day', '1 native', '--per-day', '2 native'], /^"2 native" is a second limit for native$/],
	[['--per-day', '1 $shapes'], /is a contract, but not a token: decimals\(\) returns no number/],
	[['--per-day', `1 ${STRANGER}`], /^There is no contract at 0x5{40} on chain-31337$/],
	[['--per-day', '1 $hybrid'], /is several kinds of token at once/],
	[['--per-day', '1 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB49'], /is not an address/],
	[['--recipients', ''], /^"" is not an address/],
	[['--contracts', `${STRANGER},`], /^"" is not an address/],
	[['--functions', 'transfer'], /^"transfer" is not a function/],
	[['--functions', 'workMyDirefulOwner(uint256,uint256)'], /is not a function/],
])('%j is refused on one line, and makes no token', async (options, line) => {
	const before = (await run('token', 'list')).lines;
	const { exitCode, errors } = await run('token', 'create', 'LOCAL-0', ...options);
	expect({ exitCode, errors }).toEqual({ exitCode: 1, errors: [expect.stringMatching(line)] });
	expect((await run('token', 'list')).lines).toEqual(before);
});

test('the decimals of a contract that claims every interface are believed, and a token without limits has none', async () => {
	const { id } = await create('--per-day', '0.5 $hostile');
	expect((await run('token', 'limits', id)).lines).toEqual([
		expect.stringMatching(/0\.5 in 24 hours/),
	]);
	const { id: plain } = await create();
	expect((await run('token', 'limits', plain)).lines).toEqual(['Limits      none']);
	expect(await run('token', 'limits', '1')).toMatchObject({
		exitCode: 1,
		errors: ['There is no token 1'],
	});
});
