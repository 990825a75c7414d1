import { readFile, stat, writeFile } from 'node:fs/promises';
import { ownerOf, passwordFile } from '../../../tools/n8n/owner.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';

test('the password of an n8n folder is its own, is kept, and only its user can read it', async () => {
	await using folder = await temporaryFolder('n8n');
	await using other = await temporaryFolder('n8n');
	const { password } = await ownerOf(folder.path);
	// The rule of n8n.
	expect(password).toMatch(/^(?=.*[A-Z])(?=.*\d).{24,64}$/);
	expect(await ownerOf(folder.path)).toMatchObject({ password });
	expect((await ownerOf(other.path)).password).not.toBe(password);
	const file = passwordFile(folder.path);
	expect(await readFile(file, 'utf8')).toBe(password);
	expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a password that was changed in n8n can be entered in its folder', async () => {
	await using folder = await temporaryFolder('n8n');
	await writeFile(passwordFile(folder.path), 'Changed-1\n');
	expect(await ownerOf(folder.path)).toMatchObject({ password: 'Changed-1' });
});
