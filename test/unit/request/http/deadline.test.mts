import { getEventListeners } from 'node:events';

import { withDeadline } from '../../../../nodes/WalletService/request/http/deadline.ts';

test('a request is forgotten by the execution as soon as it is over', async () => {
	const { signal } = new AbortController();
	const listening = () => getEventListeners(signal, 'abort').length;
	expect(await withDeadline(signal, 60_000, async () => await Promise.resolve(listening()))).toBe(
		1,
	);
	const failing = withDeadline(signal, 60_000, async () => await Promise.reject(new Error('no')));
	await expect(failing).rejects.toThrow('no');
	expect(listening()).toBe(0);
});
