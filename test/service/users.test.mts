import { userPath, useService } from '../support/sandbox/service.mts';

const sandbox = useService();

test('a profile has exactly the five fields of the interface', async () => {
	const { as, user } = sandbox();
	const nelly = user('Nelly');
	const { status, data, headers } = await as('Nelly').get(userPath(nelly));
	expect(status).toBe(200);
	expect(headers['content-type']).toMatch(/^application\/json/);
	expect(data).toEqual({
		id: 'DISCORD-80351110224678912',
		provider: 'DISCORD',
		username: 'Nelly',
		address: nelly.address,
		imageSrc: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/avatars\/.+\.svg$/),
	});
});

test('every user is found by an id that is percent-encoded once, whatever it holds', async () => {
	const { ready, as } = sandbox();
	for (const user of ready.users) {
		const { data } = await as('Nelly').get(userPath(user));
		expect(data).toMatchObject({ id: user.id, address: user.address });
	}
	expect(ready.users.map(({ id }) => id)).toContain('CHESS-anna/k b%2F@é');
	expect(ready.users.map(({ provider }) => provider)).toEqual(
		expect.arrayContaining(['DISCORD', 'GOOGLE', 'TWITTER', 'EPIC_GAMES', 'CHESS']),
	);
});

test('the avatar is an image', async () => {
	const { as, user, anonymous } = sandbox();
	const { data } = await as('Nelly').get(userPath(user('anna-k')));
	const image = await anonymous.get(data.imageSrc);
	expect(image.headers['content-type']).toBe('image/svg+xml');
	expect(image.data).toMatch(/^<svg /);
});

test.each(['', '/balance', '/history'])('an unknown user is a 404 at %s', async (resource) => {
	const { status, data } = await sandbox().as('Nelly').get(`/v1/users/DISCORD-1${resource}`);
	expect(status).toBe(404);
	expect(data).toEqual({
		status: 'FAILED',
		error: 'There is no user DISCORD-1',
		code: 'unknown_user',
		field: 'userId',
	});
});

test.each(['DISCORD', '-1', 'discord-1', 'DISCORD-'])(
	'%s is not a user ID, which is a 400 that names the field',
	async (id) => {
		const { status, data } = await sandbox().as('Nelly').get(`/v1/users/${id}`);
		expect(status).toBe(400);
		expect(data).toMatchObject({ status: 'FAILED', code: 'invalid_request', field: 'userId' });
	},
);
