import { findProgram } from '../support/servers.mts';

test('a missing server is named with the package to install', async () => {
	await expect(findProgram('no-such-server', 'some-package')).rejects.toThrow(
		'"no-such-server" is not installed. Install the Debian package some-package: apt-get install some-package',
	);
});
