/** Copies of a database in use, and what happens when the database is set back to one. `THOROUGH=10` makes a thousand writes. */
import { copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toQuantity, Wallet } from 'ethers';
import { copyDatabase } from '../../service/src/store/backup.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import type { Payer } from '../../tools/wallet/installed-service.mts';
import { Resources } from '../support/resources.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { thorough } from '../support/thorough.mts';
import { until } from '../support/until.mts';
import { DATABASES, install } from './support/network-and-service.mts';
import { pay, payloadOf } from './support/payment.mts';
import { recordedHashes, restore } from './support/restoring.mts';

const WRITES = thorough(96);
const PAYERS = 6;
const CALLERS = 24;
const PATIENCE_MS = 60_000;
const FINAL_BLOCKS = toQuantity(70);

describe.each(DATABASES)('on %s', (kind) => {
	test('a backup of a busy service, restored after kill -9: no key that it knew pays twice, and wallets ahead of it are closed', async () => {
		await using resources = new Resources();
		const options = { blockSeconds: 1, payers: PAYERS };
		const { network, service, payers } = await install(resources, kind, options);
		const { path: folder } = await resources.use(temporaryFolder('backup'));
		const file = join(folder, 'copy');
		const running = await service.start();
		const payerOf = (number: number): Payer => {
			// The last one pays only before the backup, so its wallet is not ahead.
			const few = number < WRITES / 6 ? PAYERS : PAYERS - 1;
			const payer = payers[number % few];
			if (!payer) throw new Error('There is no user');
			return payer;
		};
		const ask = async (number: number, patience = PATIENCE_MS) => {
			const payload = payloadOf(number);
			return await pay(service.url, payerOf(number), `order ${number}`, payload, patience);
		};
		const numbers = Array.from({ length: WRITES }, (_unused, number) => number).values();
		let finished = 0;
		let isKilled = false;
		const copied = Promise.withResolvers<true>();
		const caller = async (): Promise<void> => {
			for (const number of numbers) {
				// However long the copy takes, writes come after it.
				if (number > (WRITES * 2) / 3) await copied.promise;
				while (!isKilled && (await ask(number)).status !== 'SUCCESS');
				finished += 1;
			}
		};
		const calling = Promise.all(Array.from({ length: CALLERS }, caller));
		await until(async () => finished > WRITES / 3);
		await service.run('backup', file);
		copied.resolve(true);
		await until(async () => finished > (WRITES * 5) / 6);
		isKilled = true;
		await running.kill();
		await calling;
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect(await service.run('verify-backup', file)).toMatch(
			/Contents +6 users, 6 tokens, \d+ writes\nKeys +fit all 6 wallets/,
		);
		const written = await recordedHashes(service);
		// Until then, the transactions of the old service get into blocks.
		await network.provider.send('anvil_mine', [toQuantity(2)]);
		await restore(service, kind, file);
		const known = await recordedHashes(service);
		expect(known.size).toBeGreaterThan(WRITES / 3);
		expect(known.size).toBeLessThan(written.size);

		await resources.use(service.start());
		const closed = async () => (await service.run('wallet', 'list')).match(/ closed /g) ?? [];
		// Before the first write of any of them.
		await until(async () => (await closed()).length === PAYERS - 1);
		for (const [key, hash] of known) {
			const number = Number(key.split(' ')[1]);
			expect(await ask(number)).toMatchObject({ code: 200, status: 'SUCCESS', hash });
			await until(async () => (await network.executions(payloadOf(number))) === 1);
		}
		await network.provider.send('anvil_mine', [FINAL_BLOCKS]);
		for (const [place, payer] of payers.entries()) {
			const payload = payloadOf(WRITES + place);
			const payNew = async () =>
				await pay(service.url, payer, `new ${place}`, payload, PATIENCE_MS);
			const isAhead = place < PAYERS - 1;
			if (isAhead) expect(await payNew()).toMatchObject({ code: 403 });
			const key = (await service.run('wallet', 'export', payer.id, '--yes')).split('\n').at(-1);
			expect(new Wallet(key ?? '').address).toBe(payer.address);
			if (isAhead) {
				const opened = await service.run('wallet', 'reconcile', payer.id);
				expect(opened).toMatch(/did not sign the transactions with the nonces/);
			}
			expect(await payNew()).toMatchObject({ code: 200, status: 'SUCCESS' });
			await until(async () => (await network.executions(payload)) === 1);
		}
	});

	test('a wallet ahead of a restored copy is closed at the start, without any open write or request', async () => {
		await using resources = new Resources();
		const { network, service, payers } = await install(resources, kind, { payers: 2 });
		const { path: folder } = await resources.use(temporaryFolder('backup'));
		const [first, second] = payers;
		if (!first || !second) throw new Error('There are no users');
		const running = await service.start();
		const payOnce = async (number: number, payer = first) => {
			await pay(service.url, payer, `order ${number}`, payloadOf(number), PATIENCE_MS);
			await until(async () => (await network.executions(payloadOf(number))) === 1);
			await until(async () => /0 in no block/.test(await service.run('status')));
		};
		await payOnce(1);
		await service.run('backup', join(folder, 'copy'));
		await payOnce(2);
		// The copy has no write of this wallet.
		await payOnce(3, second);
		await running.kill();
		await restore(service, kind, join(folder, 'copy'));
		await resources.use(service.start());
		const isClosed = (list: string) => / closed .*has 2 trans[^]* closed .*has 1 trans/.test(list);
		await until(async () => isClosed(await service.run('wallet', 'list')));
	});

	test('a copy is not written over another file, and a copy that is not whole or of other keys is refused', async () => {
		await using resources = new Resources();
		const { service } = await install(resources, kind);
		const { path: folder } = await resources.use(temporaryFolder('backup'));
		const file = join(folder, 'copy');
		await service.run('backup', file);
		await expect(service.run('backup', file)).rejects.toThrow(/exists already/);
		await expect(service.run('backup', join(folder, 'none', 'copy'))).rejects.toThrow(
			/There is no folder/,
		);
		const { size } = await stat(file);
		for (const [name, content] of [
			['empty', ''],
			['text', 'not a copy'],
			['part', (await readFile(file)).subarray(0, size / 2)],
		] as const) {
			await writeFile(join(folder, name), content);
			await expect(service.run('verify-backup', join(folder, name))).rejects.toThrow(
				/not an intact copy|pg_restore:|not a copy/,
			);
		}
		expect(await service.run('verify-backup', file)).toMatch(/Intact.* as on the day it was made/);
		const other = join(folder, 'other');
		await copyFile(file, other);
		expect(await service.run('verify-backup', other)).toMatch(/Intact.* no SHA-256 beside it/);
		await writeFile(`${other}.sha256`, `${'ab'.repeat(32)}  other\n`);
		await expect(service.run('verify-backup', other)).rejects.toThrow(/has changed since it was/);
		await rm(other);
		await expect(service.run('backup', other)).rejects.toThrow(/other\.sha256 exists already/);
		const phrase = join(folder, 'phrase');
		await writeFile(phrase, Wallet.createRandom().mnemonic?.phrase ?? '');
		await expect(service.run('verify-backup', file, '--phrase-file', phrase)).rejects.toThrow(
			/The keys do not fit: seed:0 is/,
		);
	});
});

test.each([
	'postgres://anna:s3cr%21t@127.0.0.1/x',
	'postgres://anna@127.0.0.1/x?password=s3cr%21t',
])(
	'pg_dump receives the password of %s where other users of the machine do not see it',
	async (url) => {
		await using resources = new Resources();
		const { path: folder } = await resources.use(temporaryFolder('backup'));
		const program = `#!/bin/sh\nprintf '%s %s' "$PGPASSWORD" "$*" >${join(folder, 'seen')}\n`;
		await writeFile(join(folder, 'pg_dump'), program, { mode: 0o700 });
		const db = await openDatabase(':memory:');
		const { PATH = '' } = process.env;
		process.env.PATH = `${folder}:${PATH}`;
		await copyDatabase(db, url, join(folder, 'copy')).finally(() => (process.env.PATH = PATH));
		await db.destroy();
		const seen = await readFile(join(folder, 'seen'), 'utf8');
		expect(seen).toMatch(/^s3cr!t --format=custom .*--dbname=postgres:\/\/anna@127.0.0.1\/x$/);
	},
);
