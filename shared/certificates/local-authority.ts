import { randomBytes, webcrypto } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CertificateAuthority, SubjectRule } from './authority.ts';
import { checkSigningRequest } from './signing-request.ts';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  PemConverter,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from './x509.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 60 * 60 * 1000;
const rootDays = 20 * 365;
const chargerDays = 365;

/** Clocks of chargers may be behind ours: a certificate that is not valid yet is refused. */
const earlierMs = 60 * 60 * 1000;

/**
 * The authority that the product brings along: one key and its self-signed root in `directory`, made when they are
 * not there. Threads and processes that begin at once end up with the same one.
 */
export async function openLocalAuthority(directory: string): Promise<CertificateAuthority> {
  await ensureLocalAuthority(directory);
  const root = new X509Certificate(await readFile(join(directory, 'root.pem'), 'utf8'));
  const signingKey = await readKey(join(directory, 'key.pem'));
  return {
    root: root.toString('pem'),
    async sign(csrPem, rule) {
      const { request, commonName } = await checkSigningRequest(csrPem, rule);
      const certificate = await X509CertificateGenerator.create({
        ...validity(chargerDays, root.notAfter),
        serialNumber: newSerialNumber(),
        subject: subjectOf(commonName, rule),
        issuer: root.subjectName,
        publicKey: request.publicKey,
        signingKey,
        signingAlgorithm: algorithm,
        // Requested extensions are not granted: the purpose of a charger's certificate is fixed.
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyAgreement, true),
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
          await SubjectKeyIdentifierExtension.create(request.publicKey),
          await AuthorityKeyIdentifierExtension.create(root.publicKey),
        ],
      });
      return certificate.toString('pem');
    },
  };
}

/** Makes the authority's key and root unless they exist; the first process to rename its directory wins. */
async function ensureLocalAuthority(directory: string): Promise<void> {
  if (existsSync(join(directory, 'root.pem'))) return;
  await mkdir(dirname(directory), { recursive: true });
  const made = await mkdtemp(`${directory}-`);
  try {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    const root = await selfSigned(keys);
    await writeFile(join(made, 'key.pem'), PemConverter.encode(pkcs8, 'PRIVATE KEY'), {
      mode: 0o600,
      flush: true,
    });
    await writeFile(join(made, 'root.pem'), root.toString('pem'), { mode: 0o600, flush: true });
    await rename(made, directory);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    if (!existsSync(join(directory, 'root.pem'))) throw error;
  }
}

async function selfSigned(keys: webcrypto.CryptoKeyPair): Promise<X509Certificate> {
  return X509CertificateGenerator.createSelfSigned({
    ...validity(rootDays),
    serialNumber: newSerialNumber(),
    // Two installations are two authorities: their roots must not be taken for each other.
    name: [{ CN: [`Chargeway local authority ${randomBytes(4).toString('hex')}`] }],
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
}

async function readKey(path: string): Promise<webcrypto.CryptoKey> {
  const pkcs8 = PemConverter.decodeFirst(await readFile(path, 'utf8'));
  return webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
}

function validity(days: number, notAfterAtMost?: Date): { notBefore: Date; notAfter: Date } {
  const notAfter = new Date(Date.now() + days * dayMs);
  return {
    notBefore: new Date(Date.now() - earlierMs),
    notAfter: notAfterAtMost !== undefined && notAfterAtMost < notAfter ? notAfterAtMost : notAfter,
  };
}

/** 16 random bytes as a positive number (RFC 5280, §4.1.2.2). */
function newSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes.toString('hex');
}

/** As typed values: of plain text the library would read quotes, backslashes and # as notation. */
function subjectOf(commonName: string, { organization }: SubjectRule): Name {
  return new Name([
    { CN: [{ utf8String: commonName }] },
    // ub-organization-name of X.520.
    { O: [{ utf8String: organization.slice(0, 64) }] },
  ]);
}
