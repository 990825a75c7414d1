import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** Files of a certificate and its private key, both PEM. */
export interface Certificate {
	certificate: string;
	key: string;
}

const DAY = 24 * 60 * 60 * 1000;

/**
 * Makes a certificate that is its own authority, valid for a day: whoever is told to trust the file trusts the server, nobody
 * else does.
 *
 * @param host - What the server is called, beside its address 127.0.0.1.
 */
export async function createCertificate(directory: string, host: string): Promise<Certificate> {
	const { cert, private: privateKey } = await generate(
		[{ name: 'commonName', value: 'Local npm registry' }],
		{
			keyType: 'ec',
			algorithm: 'sha256',
			notAfterDate: new Date(Date.now() + DAY),
			extensions: [
				{ name: 'basicConstraints', cA: true },
				{
					name: 'subjectAltName',
					altNames: [
						{ type: 2, value: host },
						{ type: 7, ip: '127.0.0.1' },
					],
				},
			],
		},
	);
	const certificate = join(directory, 'certificate.pem');
	const key = join(directory, 'key.pem');
	await Promise.all([writeFile(certificate, cert), writeFile(key, privateKey)]);
	return { certificate, key };
}
