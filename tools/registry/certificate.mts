import { join } from 'node:path';
import { execa } from 'execa';

/** Files of a certificate and its private key, both PEM. */
export interface Certificate {
	certificate: string;
	key: string;
}

/**
 * Makes a certificate that is its own authority, valid for a day: whoever is told to trust the file trusts the server, nobody
 * else does.
 *
 * @param names - What the server is called, as OpenSSL's `subjectAltName` has it, for example `DNS:registry.example`.
 */
export async function createCertificate(directory: string, names: string[]): Promise<Certificate> {
	const certificate = join(directory, 'certificate.pem');
	const key = join(directory, 'key.pem');
	// Node.js can read certificates but not make them; OpenSSL comes with every Debian that has CA certificates.
	await execa('openssl', [
		...['req', '-x509', '-days', '1', '-nodes', '-newkey', 'ec'],
		...['-pkeyopt', 'ec_paramgen_curve:P-256', '-subj', '/CN=Local npm registry'],
		...['-addext', `subjectAltName=${names.join(',')}`],
		...['-out', certificate, '-keyout', key],
	]);
	return { certificate, key };
}
