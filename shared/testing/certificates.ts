import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const { subtle } = webcrypto;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 60 * 60 * 1000;

/** A certificate with its key, both PEM. */
export interface KeyedCertificate {
  cert: string;
  key: string;
}

/** An authority of a test. */
export interface TestAuthority {
  /** The root's certificate, PEM. */
  root: string;
  /** Issues a certificate; `notAfter` in the past makes an expired one. */
  issue(commonName: string, options?: { notAfter?: Date; forServer?: boolean }): Promise<KeyedCertificate>;
}

/** A root that is valid now, with a key of its own. */
export async function createTestAuthority(name: string): Promise<TestAuthority> {
  const keys = await newKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: [{ CN: [name] }],
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 30 * dayMs),
    notAfter: new Date(Date.now() + 30 * dayMs),
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    root: root.toString('pem'),
    async issue(commonName, { notAfter = new Date(Date.now() + dayMs), forServer = false } = {}) {
      const own = await newKeys();
      const usage = forServer ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth;
      const cert = await x509.X509CertificateGenerator.create({
        serialNumber: newSerialNumber(),
        subject: [{ CN: [commonName] }],
        issuer: root.subject,
        signingKey: keys.privateKey,
        publicKey: own.publicKey,
        signingAlgorithm: algorithm,
        notBefore: new Date(Date.now() - 20 * dayMs),
        notAfter,
        extensions: [
          new x509.BasicConstraintsExtension(false),
          new x509.ExtendedKeyUsageExtension([usage]),
          ...(forServer
            ? [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])]
            : []),
        ],
      });
      return { cert: cert.toString('pem'), key: await pemOf(own.privateKey) };
    },
  };
}

/** A number of the library may begin with a zero byte, which OpenSSL refuses. */
function newSerialNumber(): string {
  return `40${randomBytes(15).toString('hex')}`;
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
