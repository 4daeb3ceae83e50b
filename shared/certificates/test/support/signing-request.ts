import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pkcs10CertificateRequestGenerator } from '#shared/certificates/x509.ts';
import type { Test } from 'tap';

const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A PKCS #10 request in PEM, as a charger makes one with a key of its own. */
export async function makeSigningRequest(name: string, algorithm: EcKey | RsaKey = p256): Promise<string> {
  const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeys;
  const request = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: algorithm });
  return request.toString('pem');
}

type CryptoKeys = Parameters<typeof Pkcs10CertificateRequestGenerator.create>[0]['keys'];
type EcKey = typeof p256;
interface RsaKey {
  name: string;
  modulusLength: number;
  publicExponent: Uint8Array<ArrayBuffer>;
  hash: string;
}

/** An RSA key of this many bits. */
export function rsa(modulusLength: number): RsaKey {
  return {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  };
}

/** A directory that is removed when the test ends. */
export function testDirectory(t: Pick<Test, 'teardown'>): string {
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-certificates-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The request that OpenSSL makes: a second opinion on the form. */
export function opensslRequest(directory: string, subject: string): string {
  const path = join(directory, 'request.pem');
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', join(directory, 'key.pem')];
  execFileSync('openssl', ['req', '-new', ...key, '-subj', subject, '-out', path], { stdio: 'pipe' });
  return readFileSync(path, 'utf8');
}
