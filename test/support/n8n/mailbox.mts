import { createServer, type Socket } from 'node:net';
import { listenLocally } from '../../../tools/network/local-server.mts';
import { until } from '../until.mts';

/** An end of a message, as RFC 5321 section 4.1.1.4 defines it. */
const END = '\r\n.\r\n';

/** The text of a message as sent: doubled dots (RFC 5321, section 4.5.2), and quoted-printable (RFC 2045, section 6.7). */
const decoded = (mail: string): string =>
	decodeURIComponent(
		mail
			.replaceAll('\r\n..', '\r\n.')
			.replaceAll('=\r\n', '')
			.replaceAll('%', '%25')
			.replaceAll(/=([\dA-F]{2})/g, '%$1'),
	);

/** Takes messages by SMTP (RFC 5321), and passes them on. */
function receive(socket: Socket, keep: (mail: string) => void): void {
	let isMessage = false;
	let pending = '';
	const take = (end: string): string | undefined => {
		const at = pending.indexOf(end);
		if (at === -1) return undefined;
		const taken = pending.slice(0, at);
		pending = pending.slice(at + end.length);
		return taken;
	};
	socket.setEncoding('utf8').on('data', (received) => {
		pending += String(received);
		for (;;) {
			const taken = take(isMessage ? END : '\r\n');
			if (taken === undefined) return;
			if (isMessage) keep(decoded(taken));
			isMessage = !isMessage && taken === 'DATA';
			socket.write(isMessage ? '354 Send it\r\n' : '250 OK\r\n');
			if (taken === 'QUIT') socket.end();
		}
	});
	socket.on('error', () => undefined).write('220 Test\r\n');
}

/** A mail server that keeps all messages for the test. */
export async function startMailbox() {
	const mails: string[] = [];
	const server = await listenLocally(
		createServer((socket) => receive(socket, (mail) => mails.push(mail))),
	);
	return {
		port: Number(new URL(server.url).port),
		mails,
		/** Waits for the next message after the given number of them. */
		async next(known: number): Promise<string> {
			await until(async () => await Promise.resolve(mails.length > known));
			return mails[known] ?? '';
		},
		[Symbol.asyncDispose]: server.stop,
	};
}
